import { createHash } from "node:crypto";
import {
  errorMessage,
  GatewayError,
  grantableScopes,
  type Logger,
  type OrganisationsService,
  RecordError,
  type Secret,
} from "../../core/index.ts";
import type { Installation } from "./installation.ts";
import type { Issued, Keys } from "./keys.ts";
import type { Secrets } from "./secrets.ts";

export interface FirstKeyParts {
  readonly installation: Installation;
  readonly organisations: Pick<OrganisationsService, "home">;
  readonly keys: Keys;
  readonly secrets: Secrets;
  /** The value of the first key, where the operator brings one. */
  readonly given: Secret | undefined;
  readonly log: Logger;
}

/** A key of the home organisation that may do whatever such a key can. */
export async function adminKey(
  { organisations, keys }: Pick<FirstKeyParts, "organisations" | "keys">,
  name: string,
  more?: Parameters<Keys["issue"]>[2],
): Promise<Issued> {
  const { organisation } = await organisations.home();
  const scopes = [...grantableScopes("organisation-service")];
  const key = { type: "organisation-service", workspace_id: null, name, scopes, creation_mode: "auto" } as const;
  return keys.issue(organisation, key, more);
}

/**
 * Makes the first key of an installation; undefined where there was one, or the operator brings its value. Of several
 * processes that start at once, one makes it: its id follows from the organisation. Rejects while the store is down.
 */
export async function firstKey(parts: FirstKeyParts): Promise<Issued | undefined> {
  const { installation, organisations, secrets, given, log } = parts;
  if (await installation.knows("first-key")) {
    if (given && !(await secrets.isIssued(given.reveal())))
      log.warn("bootstrapKey is not a key of this installation: it counts at the first start only, which is over");
    return undefined;
  }
  const { organisation } = await organisations.home();
  const id = idFrom(`first key of ${organisation}`);
  const made = await unlessThere(
    adminKey(parts, "Admin key of the first start", { id, ...(given && { value: given.reveal() }) }),
  );
  await installation.note("first-key", id);
  if (made && given) log.info("the admin key of this installation is the one of bootstrapKey", { key: id });
  return given ? undefined : made;
}

/** An id that is always the same for a text, in the form of any other. */
export function idFrom(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes.writeUInt8(0x50 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

async function unlessThere(making: Promise<Issued>): Promise<Issued | undefined> {
  try {
    return await making;
  } catch (error) {
    if (error instanceof RecordError && error.reason === "exists") return undefined;
    throw error;
  }
}

/** What a terminal is told of the first key. A client sends it in any place the gateway reads keys from. */
export const announcement = ({ value }: Pick<Issued, "value">, url: string): string => `
The admin key of this gateway, shown this once (sluice admin-key makes another one):

${value}

For example:
curl ${url}/v1/admin/workspaces -H 'authorization: Bearer ${value}'
`;

/**
 * Tries until it is done, or nobody wants it any more; at first after a second, later once in half a minute. `first`
 * settles when it was tried once.
 */
export function untilDone(run: () => Promise<void>, log: Logger): { readonly first: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const attempt = async (pause: number) => {
    try {
      await run();
    } catch (error) {
      if (stopped) return;
      if (!isPassing(error)) return log.error("the first admin key was not made", { error });
      log.warn("the first admin key waits for the store of records", { error: errorMessage(error) });
      timer = setTimeout(() => void attempt(Math.min(pause * 2, longestPause)), pause).unref();
    }
  };
  return {
    first: attempt(1000),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const longestPause = 30_000;

const isPassing = (error: unknown): boolean =>
  (error instanceof RecordError && error.reason === "down") ||
  (error instanceof GatewayError && error.code === "store_unavailable");
