import { backslash, closeBrace, colon, openBrace, quote, skipSpace, space } from "../../json-bytes.ts";

const name = Buffer.from('"arguments"');

/**
 * Whether a request has a call in it whose arguments, a text in JSON, are no whole object: the model was cut off in them, and a client
 * gives back what it got. Only braces are counted. Too many found do no harm: they are read, and written as they were.
 */
export function holdsBrokenArguments(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at)) {
    at = skipSpace(bytes, at + name.length);
    if (bytes[at] !== colon) continue;
    at = skipSpace(bytes, at + 1);
    // Elsewhere it is the name of a parameter, and what stands there is no text.
    if (bytes[at] === quote && !isWhole(bytes, at + 1)) return true;
  }
  return false;
}

/** Whether the text that begins there, in JSON itself, is one object, or nothing. */
function isWhole(bytes: Buffer, from: number): boolean {
  let depth = 0;
  let began = false;
  let inText = false;
  /** A backslash of the inner JSON, whose next character is part of a text whatever it is. */
  let isEscaped = false;
  for (let at = from; at < bytes.length; at++) {
    let byte = bytes[at];
    if (byte === quote) return depth === 0 && !inText;
    if (byte === backslash) {
      byte = bytes[++at];
      // Line ends and the like between members.
      if (byte !== quote && byte !== backslash) byte = inText ? undefined : space;
    }
    if (isEscaped) isEscaped = false;
    else if (inText) {
      if (byte === backslash) isEscaped = true;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === openBrace) depth++;
    else if (byte === closeBrace) depth--;
    if (began || byte === space) continue;
    if (byte !== openBrace) return false;
    began = true;
  }
  return false;
}
