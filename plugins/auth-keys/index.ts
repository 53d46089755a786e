import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { definePlugin, type Exchange, GatewayError, type Principal, secret } from "../../core/index.ts";

const key = z.strictObject({
  name: z.string().min(1).describe("Shown in records."),
  key: secret().describe("The key itself, by reference: ${TEAM_KEY}."),
  scopes: z.array(z.string()).default(["completions.write"]).describe("What the key may do."),
  config: z.string().min(1).exactOptional().describe("The slug of the routing config of requests that name none."),
  mayReplaceConfig: z.boolean().default(true).describe("Whether requests with this key may name another config."),
  metadata: z.record(z.string(), z.string()).default({}).describe("Added to the metadata of every request."),
});

export default definePlugin({
  name: "auth-keys",
  summary: "Lets in who has one of the keys of the config file.",
  options: z.strictObject({
    keys: z.array(key).min(1).describe("The keys. Names and keys are unique."),
  }),
  setup({ hooks }, { keys }) {
    // Digests under a salt of this process: looking one up tells nothing, in its time or in a memory dump.
    const salt = randomBytes(16);
    const digest = (value: string) => createHash("sha256").update(salt).update(value).digest("base64");
    const principals = new Map<string, Principal>();
    for (const { name, key, scopes, metadata, config, mayReplaceConfig } of keys) {
      const value = key.reveal();
      if (value.length < 16) throw new Error(`the key "${name}" is shorter than 16 characters`);
      if (principals.has(digest(value))) throw new Error(`the key "${name}" has the value of another key`);
      principals.set(digest(value), {
        id: `key:${name}`,
        name,
        scopes,
        metadata,
        ...(config !== undefined && { defaultConfig: { slug: config, mayReplace: mayReplaceConfig } }),
      });
    }
    const carriedBy = carriers(principals);
    hooks.auth.tap("auth-keys", (exchange) => {
      const credential = credentialOf(exchange);
      if (!credential) return undefined;
      const principal = carriedBy(
        digest(credential),
        carriersOf(exchange, credential),
        inQuery(exchange) === credential,
      );
      if (!principal) throw new GatewayError("invalid_api_key", "The API key is not known.");
      return principal;
    });
  },
});

/** Principals by digest and by the headers that carried them, made when first seen and kept. */
function carriers(principals: ReadonlyMap<string, Principal>) {
  const known = new Map<string, Principal>();
  return (digest: string, headers: readonly string[], inQuery: boolean): Principal | undefined => {
    const principal = principals.get(digest);
    if (!principal || (headers.length === 0 && !inQuery)) return principal;
    const id = `${headers}${inQuery ? "?" : ""}:${digest}`;
    const parameters = inQuery && { credentialParameters: ["key"] };
    const kept = known.get(id) ?? { ...principal, credentialHeaders: headers, ...parameters };
    known.set(id, kept);
    return kept;
  };
}

const bare = (authorization: string) => authorization.replace(/^bearer\s+/i, "").trim();

/** Where a gateway credential may stand, in order (inference-api.md section 2.1). */
function credentialOf(exchange: Exchange): string | undefined {
  const { gatewayHeaders, headers } = exchange;
  const own = gatewayHeaders.get("api-key");
  if (own !== undefined) return own;
  if (headers.authorization) return bare(headers.authorization);
  const key = headers["x-api-key"] ?? headers["x-goog-api-key"];
  return typeof key === "string" ? key.trim() : inQuery(exchange);
}

/** Clients of the Gemini API may send their key as `?key=`. */
function inQuery({ url }: Exchange): string | undefined {
  const [, key] = (url.includes("key=") && /[?&]key=([^&#]+)/.exec(url)) || [];
  try {
    return key === undefined ? undefined : decodeURIComponent(key);
  } catch {
    return undefined;
  }
}

/** Clients send a key in several places at once, some of which would be read as a credential for the vendor. */
const carriersOf = ({ headers }: Exchange, credential: string): string[] =>
  ["authorization", "x-api-key", "api-key", "x-goog-api-key"].filter((name) => {
    const value = headers[name];
    return typeof value === "string" && bare(value) === credential;
  });
