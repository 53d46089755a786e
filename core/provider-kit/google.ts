import { sign } from "node:crypto";
import { raise } from "../errors/gateway-error.ts";
import { identityNetwork } from "../http/upstream/identity-network.ts";
import type { Headers } from "../model/headers.ts";
import type { Secret } from "../secrets/secret.ts";
import { environmentVariable } from "./environment-variable.ts";
import { fetchToken, noToken } from "./fetch-token.ts";
import { fieldsIn, type ServiceAccount, serviceAccountIn } from "./google-account.ts";
import { TokenCache } from "./token-cache.ts";
import type { Token, TokenSource } from "./token-source.ts";

const scope = "https://www.googleapis.com/auth/cloud-platform";

/** Tokens by credential: what was fetched for one is good for it in every generation of the config. */
const tokens = new TokenCache();
const renewAfter = 3_000_000;

/** Who is shown to Google Cloud: a service account with its key, or what this machine is. */
export type GoogleIdentity = {
  /** Whose calls they are, for messages: `vertex-ai`. */
  readonly name: string;
} & (
  | {
      readonly type: "serviceAccount";
      /** The key file, and what the option is called that holds it. */
      readonly account: Secret | undefined;
      readonly option: string;
      /** Where service accounts are given tokens. */
      readonly tokenUrl: string;
    }
  | {
      readonly type: "workload";
      /** The configuration of a workload identity federation. Absent: GCP_WIF_AUDIENCE, or the machine's own account. */
      readonly federation?: Secret | undefined;
    }
);

type Account = Extract<GoogleIdentity, { type: "serviceAccount" }>;
type Workload = Extract<GoogleIdentity, { type: "workload" }>;

/** The headers of an identity, asked for before each call; undefined where a key file is none. */
export function googleCredential(identity: GoogleIdentity): (() => Promise<Headers>) | undefined {
  const source = sourceOf(identity);
  return source && (async () => ({ authorization: `Bearer ${(await source()).text}` }));
}

function sourceOf(identity: GoogleIdentity): TokenSource | undefined {
  if (identity.type === "workload")
    return tokens.source(["workload", identity.federation], () => ({
      fetch: () => machineToken(identity),
      renewAfter,
    }));
  const account = serviceAccountIn(identity.account);
  if (!account) return undefined;
  const { email, keyId, key } = account;
  return tokens.source(["serviceAccount", email, keyId, key, identity.tokenUrl], () => ({
    fetch: () => accountToken(account, identity),
    renewAfter,
  }));
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A signed request for a token (RFC 7523), as the vendor's documentation wants it (providers.md section 8.1). */
async function accountToken({ email, key, keyId }: ServiceAccount, identity: Account): Promise<Token> {
  const { name, option, tokenUrl: url } = identity;
  const issuedAt = Math.floor(Date.now() / 1_000);
  const head = base64url({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) });
  const claims = base64url({ iss: email, sub: email, aud: url, iat: issuedAt, exp: issuedAt + 3_600, scope });
  const assertion = `${head}.${claims}.${signature(`${head}.${claims}`, key, identity)}`;
  return fetchToken({
    provider: name,
    check: `the service account in ${option}: its key may have been deleted, or this machine's clock be wrong`,
    url,
    form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion },
  });
}

function signature(text: string, key: string, { name, option }: Account): string {
  try {
    return sign("RSA-SHA256", Buffer.from(text), key).toString("base64url");
  } catch {
    // What the library says of a key may quote it.
    return raise("credential_missing", `${name}: private_key in ${option} is not an RSA key in PEM.`, {
      provider: name,
    });
  }
}

const federationUrl = "https://sts.googleapis.com/v1/token";

/** The vendor's own library of what a machine can be, loaded when the first token of one is asked for. */
async function machineToken(identity: Workload): Promise<Token> {
  const { Compute, ExternalAccountClient } = await import("google-auth-library");
  const federation = federationIn(identity);
  const network = identityNetwork();
  const named = { provider: identity.name, url: String(federation?.token_url ?? "the metadata server") };
  const check = federation
    ? "workloadIdentity, or GCP_WIF_AUDIENCE and GCP_WIF_SERVICE_ACCOUNT_EMAIL"
    : "that this machine has a service account, or set workloadIdentity";
  try {
    const client = federation
      ? ExternalAccountClient.fromJSON({
          ...(federation as never as object),
          ...(network && { transporterOptions: { fetchImplementation: network.fetch } }),
          scopes: [scope],
        } as never)
      : new Compute({ scopes: [scope] });
    const { token } = (await client?.getAccessToken()) ?? {};
    if (!client || !token) throw new Error("no client for this configuration");
    return { text: token, expiresAt: client.credentials.expiry_date ?? Date.now() + 300_000 };
  } catch (cause) {
    const { status } = (cause as { response?: { status?: number } }).response ?? {};
    const why = status === undefined ? "it could not be asked" : `it answered ${status}`;
    const refused = status !== undefined && status < 500 && status !== 429;
    // The library's errors hold the whole request: of them only the words go into the log.
    const words = new Error(cause instanceof Error ? cause.message : "unknown");
    throw noToken({ ...named, check }, refused ? "credential_missing" : "upstream_unreachable", why, words);
  }
}

/** The federation to go through, if any: the configured one, or from AWS by what the environment says of it. */
function federationIn({ name, federation }: Workload): Readonly<Record<string, unknown>> | undefined {
  if (federation)
    return (
      fieldsIn(federation) ??
      raise("credential_missing", `${name}: workloadIdentity is not a JSON object.`, { provider: name })
    );
  const audience = environmentVariable("GCP_WIF_AUDIENCE");
  if (!audience) return undefined;
  const account = environmentVariable("GCP_WIF_SERVICE_ACCOUNT_EMAIL");
  const metadata = "http://169.254.169.254/latest";
  return {
    type: "external_account",
    audience,
    subject_token_type: "urn:ietf:params:aws:token-type:aws4_request",
    token_url: federationUrl,
    credential_source: {
      environment_id: "aws1",
      region_url: `${metadata}/meta-data/placement/availability-zone`,
      url: `${metadata}/meta-data/iam/security-credentials`,
      imdsv2_session_token_url: `${metadata}/api/token`,
      regional_cred_verification_url: "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15",
    },
    ...(account && {
      service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:generateAccessToken`,
    }),
  };
}
