import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  skipSpace,
} from "../../json-bytes.ts";

/**
 * Finds one member of a JSON object from its end, where answers have what they used: what stands before it, and that may be
 * megabytes of vectors, is not looked at. Undefined where the object has no such member. The bytes have to be an object;
 * of those that are none, anything may come out, and what comes out may throw.
 */
export function memberAtEnd(name: string): (bytes: Buffer) => unknown {
  const key = Buffer.from(`"${name}"`);
  return (bytes) => {
    // Brackets that open from a place to the end, less those that close: from a member of the whole object on, one closes.
    let open = 0;
    let end = bytes.length;
    for (let at = bytes.lastIndexOf(key); at > 0; at = bytes.lastIndexOf(key, at - 1)) {
      // A text with this name in it has its quotes escaped.
      const from = valueFrom(bytes, at + key.length);
      if (from < 0 || bytes[at - 1] === backslash) continue;
      open += opened(bytes, at, end);
      end = at;
      if (open === -1) return JSON.parse(bytes.toString("utf8", from, valueEnd(bytes, from)));
    }
    return undefined;
  };
}

/** Where the value of a key that ends there begins; -1 where it is no key. */
function valueFrom(bytes: Buffer, keyEnd: number): number {
  const at = skipSpace(bytes, keyEnd);
  return bytes[at] === colon ? skipSpace(bytes, at + 1) : -1;
}

/** Brackets that open between two places, neither of which is in a text, less those that close. */
function opened(bytes: Buffer, from: number, to: number): number {
  let open = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === quote) at = textEnd(bytes, at);
    else if (byte === openBrace || byte === openBracket) open++;
    else if (byte === closeBrace || byte === closeBracket) open--;
  }
  return open;
}

/** Where a value ends that is a member of the whole object: at the bracket that closes it, or before what follows it. */
function valueEnd(bytes: Buffer, from: number): number {
  let open = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = textEnd(bytes, at);
    else if (byte === openBrace || byte === openBracket) open++;
    else if (byte === closeBrace || byte === closeBracket) open--;
    if (open < 0 || (open === 0 && byte === comma)) return at;
  }
  return bytes.length;
}

/** Where the text ends that begins at a quote: at its other one. */
function textEnd(bytes: Buffer, from: number): number {
  let at = from + 1;
  for (let byte = bytes[at]; byte !== quote && byte !== undefined; byte = bytes[at]) at += byte === backslash ? 2 : 1;
  return at;
}
