/** A part of an address as it is meant. One that is not written as parts of addresses are stands for itself. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Letters and digits that are escaped all the same, by which places are found as by themselves (RFC 3986, section 2.3). */
const plainEscapes = /%(?:[46][1-9a-f]|[57][0-9a]|3\d|2[de]|5f|7e)/gi;

/** The path of a URL as a server finds places by it. What is escaped for a reason, as in ids, stays so. */
export function plainPath(url: string): string {
  const [path = ""] = url.split("?", 1);
  return path.replace(plainEscapes, percentDecoded);
}
