/** Where a URL leads: an origin as everybody compares it, in lower case and without a usual port, and what stands behind it. A user stays. */
export interface UrlPlace {
  readonly origin: string;
  /** As it was written, from its first slash on; "" where there is none. */
  readonly path: string;
}

/** Takes a URL apart. One that cannot be read keeps what it says: whoever calls it says why it cannot be. */
export function placeOf(url: string): UrlPlace {
  const slash = url.indexOf("/", url.indexOf("//") + 2);
  const named = slash < 0 ? url : url.slice(0, slash);
  return { origin: originOf(named), path: slash < 0 ? "" : url.slice(slash) };
}

/** Callers may write hosts as they like (`HTTP://127.1`): what is checked and chosen by has one form. */
function originOf(named: string): string {
  if (!/^https?:/i.test(named) || !URL.canParse(named)) return named;
  const { protocol, username, password, host } = new URL(named);
  const user = username === "" && password === "" ? "" : `${username}${password && `:${password}`}@`;
  return `${protocol}//${user}${host}`;
}
