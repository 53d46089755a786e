/** What stands in the query of a URL, which may be relative. */
export const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);

/** A URL without some of its query parameters, and otherwise as it was written. */
export function withoutParameters(url: string, names: readonly string[]): string {
  const [path = "", query] = url.split(/\?(.*)/s);
  if (query === undefined || names.length === 0) return url;
  const kept = query.split("&").filter((pair) => !names.includes(pair.split("=")[0] ?? ""));
  return kept.length > 0 ? `${path}?${kept.join("&")}` : path;
}
