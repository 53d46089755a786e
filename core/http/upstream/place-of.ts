/** Where a URL leads: an origin as everybody compares it, in lower case and without a usual port, and what stands behind it. A user stays. */
export interface UrlPlace {
  readonly origin: string;
  /** As it was written, from its first slash on; "" where there is none. */
  readonly path: string;
  /** As it was written, with its question mark; "" where there is none. */
  readonly query: string;
}

/** Takes a URL apart. One that cannot be read keeps what it says: whoever calls it says why it cannot be. */
export function placeOf(url: string): UrlPlace {
  const mark = url.indexOf("?");
  const [plain, query] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark)];
  const slash = plain.indexOf("/", plain.indexOf("//") + 2);
  const named = slash < 0 ? plain : plain.slice(0, slash);
  return { origin: originOf(named), path: slash < 0 ? "" : plain.slice(slash), query };
}

/** Callers may write hosts as they like (`HTTP://127.1`): what is checked and chosen by has one form. */
function originOf(named: string): string {
  if (!/^https?:/i.test(named) || !URL.canParse(named)) return named;
  const { protocol, username, password, host } = new URL(named);
  const user = username === "" && password === "" ? "" : `${username}${password && `:${password}`}@`;
  return `${protocol}//${user}${host}`;
}

/**
 * A path below that of a base URL. A base URL may have the version in it that stands in front of the path: most vendors' have,
 * and what it says is not said twice: `/v1` and `/v1/chat/completions` are `/v1/chat/completions`.
 */
export function pathBelow(basePath: string, path: string): string {
  const version = basePath.slice(basePath.lastIndexOf("/"));
  if (!/^\/v\d\w*$/.test(version)) return basePath + path;
  const at = path.indexOf(`${version}/`);
  const said = at < 0 ? undefined : path.slice(0, at + version.length);
  return said !== undefined && basePath.endsWith(said) ? basePath + path.slice(said.length) : basePath + path;
}

/** A step upwards, however it is written: with a parameter behind it (`..;`), some servers take it for one. */
const climbs = /^[^?]*(?:[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\?;]|%2f|%5c|%3b|$)/i;

/** Whether a path would leave what it is below, or the model that it seems to name. */
export const leadsUpwards = (path: string): boolean => climbs.test(path);

/** A path with the query of the base URL it is below, less what the path says itself. */
export function withQueryOf(path: string, baseQuery: string): string {
  if (baseQuery === "") return path;
  const [plain = "", own = ""] = path.split(/\?(.*)/s);
  const said = new URLSearchParams(own);
  const more = baseQuery.slice(1).split("&");
  const added = more.filter((pair) => [...new URLSearchParams(pair).keys()].some((name) => !said.has(name)));
  const query = [own, ...added].filter((part) => part !== "").join("&");
  return query === "" ? path : `${plain}?${query}`;
}
