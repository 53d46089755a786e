import { sign } from "node:crypto";
import {
  environmentVariable,
  fetchToken,
  type Headers,
  noToken,
  raise,
  type Token,
  TokenCache,
  type TokenSource,
} from "../../core/provider-kit/index.ts";
import { authTypeOf, fieldsIn, type ServiceAccount, serviceAccountIn, type VertexOptions } from "./options.ts";

const scope = "https://www.googleapis.com/auth/cloud-platform";
const provider = "vertex-ai";

/** Tokens by credential: what was fetched for one is good for it in every generation of the config. */
const tokens = new TokenCache();
const renewAfter = 3_000_000;

/** The headers of a credential that has to be fetched; undefined where the token is given. */
export function fetchedCredential(options: VertexOptions): (() => Promise<Headers>) | undefined {
  const source = sourceOf(options);
  return source && (async () => ({ authorization: `Bearer ${(await source()).text}` }));
}

function sourceOf(options: VertexOptions): TokenSource | undefined {
  const { workloadIdentity, tokenUrl } = options;
  switch (authTypeOf(options)) {
    case "serviceAccount": {
      const account = serviceAccountIn(options);
      if (!account) return undefined;
      const { email, keyId, key } = account;
      return tokens.source(["serviceAccount", email, keyId, key, tokenUrl], () => ({
        fetch: () => accountToken(account, tokenUrl),
        renewAfter,
      }));
    }
    case "workload":
      return tokens.source(["workload", workloadIdentity], () => ({
        fetch: () => machineToken(options),
        renewAfter,
      }));
    default:
      return undefined;
  }
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A signed request for a token (RFC 7523), as the vendor's documentation wants it (providers.md section 8.1). */
async function accountToken({ email, key, keyId }: ServiceAccount, url: string): Promise<Token> {
  const issuedAt = Math.floor(Date.now() / 1_000);
  const head = base64url({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) });
  const claims = base64url({ iss: email, sub: email, aud: url, iat: issuedAt, exp: issuedAt + 3_600, scope });
  const assertion = `${head}.${claims}.${signature(`${head}.${claims}`, key)}`;
  return fetchToken({
    provider,
    check: "the service account in serviceAccountJson: its key may have been deleted, or this machine's clock be wrong",
    url,
    form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion },
  });
}

function signature(text: string, key: string): string {
  try {
    return sign("RSA-SHA256", Buffer.from(text), key).toString("base64url");
  } catch {
    // What the library says of a key may quote it.
    return raise("credential_missing", `${provider}: private_key in serviceAccountJson is not an RSA key in PEM.`, {
      provider,
    });
  }
}

const federationUrl = "https://sts.googleapis.com/v1/token";

/** The vendor's own library of what a machine can be, loaded when the first token of one is asked for. */
async function machineToken(options: VertexOptions): Promise<Token> {
  const { Compute, ExternalAccountClient } = await import("google-auth-library");
  const federation = federationIn(options);
  const named = { provider, url: String(federation?.token_url ?? "the metadata server") };
  const check = federation
    ? "workloadIdentity, or GCP_WIF_AUDIENCE and GCP_WIF_SERVICE_ACCOUNT_EMAIL"
    : "that this machine has a service account, or set workloadIdentity";
  try {
    const client = federation
      ? ExternalAccountClient.fromJSON({ ...(federation as never as object), scopes: [scope] } as never)
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
function federationIn({ workloadIdentity }: VertexOptions): Readonly<Record<string, unknown>> | undefined {
  if (workloadIdentity)
    return (
      fieldsIn(workloadIdentity) ??
      raise("credential_missing", `${provider}: workloadIdentity is not a JSON object.`, { provider })
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
