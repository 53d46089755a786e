/** The bytes JSON is made of (RFC 8259, section 2). */
export const tab = 0x09;
export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Whether a text is a number or a word of JSON, and nothing else. */
export const isJsonScalar = (text: string): boolean => scalar.test(text);

/** Whether some bytes stand at an offset of others. A loop: they are names, and a call takes longer than comparing a few. */
export function standsAt(bytes: Buffer, from: number, own: Buffer): boolean {
  for (let at = 0; at < own.length; at++) if (bytes[from + at] !== own[at]) return false;
  return true;
}

/** The offset of the first byte from there on that is no white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  for (
    let byte = bytes[at];
    byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;
    byte = bytes[at]
  )
    at++;
  return at;
}

/** What some programs write in front of JSON and of event streams, and readers may ignore (RFC 8259 section 8.1). */
export const byteOrderMark = Buffer.from("\ufeff");

/** Bytes without a byte order mark in front of them: the same ones, where there is none. */
export const unmarked = (bytes: Buffer): Buffer =>
  bytes[0] === byteOrderMark[0] && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    ? bytes.subarray(byteOrderMark.length)
    : bytes;
