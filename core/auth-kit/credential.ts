import type { Exchange } from "../model/exchange.ts";
import type { Principal } from "../model/principal.ts";

/** What a client shows to be let in, and where it stood. */
export interface Credential {
  readonly value: string;
  /** In the gateway's own header, where nothing else can be meant. Other places may hold a credential for the provider. */
  readonly own: boolean;
}

/** The gateway credential of a request, looked for in the order of inference-api.md section 2.1. */
export function credentialOf(exchange: Exchange): Credential | undefined {
  const { gatewayHeaders, headers } = exchange;
  const own = gatewayHeaders.get("api-key");
  if (own !== undefined) return { value: own, own: true };
  if (headers.authorization) return elsewhere(bare(headers.authorization));
  const key = headers["x-api-key"] ?? headers["x-goog-api-key"];
  if (typeof key === "string") return elsewhere(key.trim());
  // Beside a key in the URL, what stands in this header is for the provider.
  const last = headers["api-key"];
  return elsewhere(
    inParameter(exchange, "key") ?? (typeof last === "string" ? last.trim() : inParameter(exchange, "api-key")),
  );
}

const elsewhere = (value: string | undefined): Credential | undefined =>
  value === undefined || value === "" ? undefined : { value, own: false };

const bare = (authorization: string): string => authorization.replace(/^bearer\s+/i, "").trim();

/** Some clients send their key in the query, in one of these parameters; those of sockets in browsers have nowhere else. */
const parameters = { key: /[?&]key=([^&#]+)/, "api-key": /[?&]api-key=([^&#]+)/ };

function inParameter({ url }: Exchange, name: keyof typeof parameters): string | undefined {
  const [, key] = (url.includes("key=") && parameters[name].exec(url)) || [];
  try {
    return key === undefined ? undefined : decodeURIComponent(key);
  } catch {
    return undefined;
  }
}

const places = ["authorization", "x-api-key", "api-key", "x-goog-api-key"] as const;

/** The same principal by what carried its credential. */
const carried = new WeakMap<Principal, Map<string, Principal>>();

/**
 * The principal, told what of the request carried its credential: that never goes upstream. Clients send a key in several
 * places at once, some of which would be read as a credential for the vendor.
 */
export function carriedBy(principal: Principal, exchange: Exchange, { value }: Credential): Principal {
  const { headers } = exchange;
  let carriers = "";
  for (const name of places) {
    const header = headers[name];
    if (typeof header === "string" && bare(header) === value) carriers += `${name},`;
  }
  for (const name of ["key", "api-key"] as const) if (inParameter(exchange, name) === value) carriers += `?${name},`;
  return carriers === "" ? principal : withCarriers(principal, carriers);
}

/** Made when first seen and kept: there are few ways to send a key. */
function withCarriers(principal: Principal, carriers: string): Principal {
  const known = carried.get(principal) ?? new Map<string, Principal>();
  carried.set(principal, known);
  const names = carriers.split(",").slice(0, -1);
  const inUrl = names.filter((name) => name.startsWith("?")).map((name) => name.slice(1));
  const made = known.get(carriers) ?? {
    ...principal,
    credentialHeaders: names.filter((name) => !name.startsWith("?")),
    ...(inUrl.length > 0 && { credentialParameters: inUrl }),
  };
  known.set(carriers, made);
  return made;
}

/** Whether a credential is a JSON Web Token: three parts in base64url, the first one a JSON object with `alg`. */
export function isToken(value: string): boolean {
  const [, head] = /^([\w-]+)\.[\w-]+\.[\w-]*$/.exec(value) ?? [];
  if (head === undefined) return false;
  try {
    const header: unknown = JSON.parse(Buffer.from(head, "base64url").toString());
    return typeof header === "object" && header !== null && "alg" in header;
  } catch {
    return false;
  }
}
