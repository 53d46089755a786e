import type { IncomingMessage } from "node:http";
import type { Alias } from "../model/endpoint.ts";
import type { UrlSays } from "../model/format.ts";
import { percentDecoded } from "../percent-decoded.ts";

/** What URLs of requests say, where an alias has a place for that. */
export const urlSays = new WeakMap<IncomingMessage, UrlSays>();

/** A URL as it is asked of proxies, with scheme and host (RFC 9112 section 3.2.2), is the path in it, and its query. */
export function inOriginForm(url: string): string {
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(url) ?? [];
  if (rest === undefined) return url;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** The URL that a request means. */
export function meantUrl(request: IncomingMessage, aliases: readonly Alias[]): string {
  const { url = "/", method } = request;
  for (const alias of aliases) {
    if (!url.startsWith(alias.prefix)) continue;
    const meant = behind(alias, url, method);
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
function behind(alias: Alias, asked: string, method: string | undefined): Meant | undefined {
  const { prefix, meant, models } = alias;
  const [path = "", query] = asked.split(/\?(.*)/s);
  const own = once(meant + path.slice(prefix.length));
  const search = searchOf(alias, query);
  if (models === undefined || !`${own}/`.startsWith(meant + models)) return { url: own + search };
  const rest = own.slice(meant.length + models.length).replace(/\/$/, "");
  const place = method === "POST" ? placeAtEnd(alias, rest) : undefined;
  const name = place && rest.slice(0, meant.length - place.length - 1);
  return name ? { url: place + search, says: { model: percentDecoded(name) } } : undefined;
}

/**
 * The longest path that something behind a model's name ends with, as it is without the name. Names may have slashes, which some
 * clients write as they are. Each path is looked for once, however long what came is: nobody has been let in yet.
 */
function placeAtEnd({ meant, named }: Alias, rest: string): string | undefined {
  let found: string | undefined;
  for (const place of named)
    if (
      place.length > (found?.length ?? meant.length) &&
      place.startsWith(meant) &&
      rest.endsWith(place.slice(meant.length - 1))
    )
      found = place;
  return found;
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
