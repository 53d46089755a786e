import type { IncomingMessage } from "node:http";
import type { Alias } from "../model/endpoint.ts";
import type { UrlSays } from "../model/format.ts";
import { percentDecoded } from "../percent-decoded.ts";

/** What URLs of requests say, where an alias has a place for that. */
export const urlSays = new WeakMap<IncomingMessage, UrlSays>();

/** The URL that a request means. */
export function meantUrl(request: IncomingMessage, aliases: readonly Alias[]): string {
  const { url = "/" } = request;
  for (const alias of aliases) {
    if (!url.startsWith(alias.prefix)) continue;
    const meant = behind(alias, url);
    if (meant?.says) urlSays.set(request, meant.says);
    return meant?.url ?? url;
  }
  return once(url);
}

/** A doubled version prefix is the most common misconfiguration of SDKs: it counts once. */
const once = (url: string): string => (url.startsWith("/v1/v1/") ? url.slice(3) : url);

interface Meant {
  readonly url: string;
  readonly says?: UrlSays;
}

/** What a URL below an alias stands for; undefined where nothing is. */
function behind(alias: Alias, asked: string): Meant | undefined {
  const { prefix, meant, models, named } = alias;
  const [path = "", query] = asked.split(/\?(.*)/s);
  const own = once(meant + path.slice(prefix.length));
  const search = searchOf(alias, query);
  if (models === undefined || !`${own}/`.startsWith(meant + models)) return { url: own + search };
  // Some clients write names as they are, with their slashes: a name ends where the rest is a place.
  const rest = own.slice(meant.length + models.length);
  for (let at = rest.indexOf("/", 1); at > 0; at = rest.indexOf("/", at + 1)) {
    const place = meant + rest.slice(at + 1).replace(/\/$/, "");
    if (named.has(place)) return { url: place + search, says: { model: percentDecoded(rest.slice(0, at)) } };
  }
  return undefined;
}

/** The query as endpoints know it, with its question mark. */
function searchOf({ without = [], renames = {} }: Alias, query: string | undefined): string {
  if (query === undefined) return "";
  const pairs = query.split("&").flatMap((pair) => {
    const [name = ""] = pair.split("=");
    if (without.includes(name)) return [];
    return Object.hasOwn(renames, name) ? renames[name] + pair.slice(name.length) : pair;
  });
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}
