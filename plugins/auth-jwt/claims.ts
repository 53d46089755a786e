import { decodeJwt } from "jose";
import { fields, grantableScopes, type Limited, plainScope, z } from "../../core/index.ts";

const text = z.string().min(1).optional();
const list = z.union([z.string(), z.array(z.string())]).optional();

const claims = z.looseObject({
  exp: z.number(),
  iat: z.number().optional(),
  gateway_oid: text,
  organisation_id: text,
  gateway_workspace: text,
  workspace_slug: text,
  scope: list,
  scopes: list,
  email_id: text,
  sub: text,
  uid: text,
  defaults: z
    .looseObject({
      config_id: z.string().min(1).nullish(),
      metadata: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
  usage_limits: z.array(fields.usageLimits).nullish(),
  rate_limits: fields.rateLimits.nullish(),
});

const organisationClaims = z.looseObject({ gateway_oid: text, organisation_id: text });

/** What a token says, by our names (control-plane.md section 2.9). */
export interface Claims {
  /** Unix seconds. */
  readonly expires: number;
  readonly issuedAt: number | undefined;
  readonly organisation: string | undefined;
  /** An id or a slug. */
  readonly workspace: string | undefined;
  /** Undefined where it says nothing of scopes; of those it names, the ones tokens may hold. */
  readonly scopes: readonly string[] | undefined;
  readonly identity: string | undefined;
  readonly subject: string | undefined;
  readonly config: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly limits: Pick<Limited, "usage" | "rate"> | undefined;
}

/** Throws, naming the first claim that is not what it should be: a limit that cannot be read is not no limit. */
export function readClaims(payload: unknown): Claims {
  const read = claims.safeParse(payload);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`the claim ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is wrong"}`);
  }
  const { exp, iat, defaults, usage_limits: usage, rate_limits: rate, ...said } = read.data;
  return {
    expires: exp,
    issuedAt: iat,
    organisation: said.gateway_oid ?? said.organisation_id,
    workspace: said.gateway_workspace ?? said.workspace_slug,
    scopes: scopesIn(said.scope) ?? scopesIn(said.scopes),
    identity: said.email_id ?? said.sub ?? said.uid,
    subject: said.sub,
    config: defaults?.config_id ?? undefined,
    metadata: textsIn(defaults?.metadata ?? {}),
    limits: usage || rate ? { usage: usage ?? [], rate: rate ?? [] } : undefined,
  };
}

/** The organisation that a token says it is for, before anything of it is checked; read as it is read once it is checked. */
export function saidOrganisation(token: string): string | undefined {
  try {
    const { gateway_oid, organisation_id } = organisationClaims.parse(decodeJwt(token));
    return gateway_oid ?? organisation_id;
  } catch {
    return undefined;
  }
}

/** Scopes as a token or a setting writes them, those a token may hold. */
export function scopesIn(said: string | readonly string[] | undefined): readonly string[] | undefined {
  if (said === undefined) return undefined;
  const written = typeof said === "string" ? said.split(/[\s,]+/) : said;
  const may = grantableScopes("jwt");
  const scopes = [...new Set(written.map(plainScope))];
  return scopes.length === 1 && scopes[0] === "" ? undefined : scopes.filter((scope) => may.has(scope));
}

const textsIn = (metadata: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
