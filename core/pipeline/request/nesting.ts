import { GatewayError } from "../../errors/gateway-error.ts";

/** Levels of JSON that nobody needs; translating, checking and writing it take a step of the stack or several for each. */
const deep = 500;

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');
const [blank, ...blankLetters] = Buffer.from(" nrt");

/** How deep the lists and objects of a JSON text are nested. */
export function depthOf(json: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === openBracket || byte === openBrace) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (byte === closeBracket || byte === closeBrace) depth--;
  }
  return deepest;
}

/** The same of the JSON that stands in its texts, as the arguments of calls do in some formats: the deepest of them. */
export function depthInTexts(json: Uint8Array): number {
  let deepest = 0;
  for (let at = 0; at < json.length; at++)
    if (json[at] === quote) {
      const [depth, end] = depthOfText(json, at + 1);
      if (depth > deepest) deepest = depth;
      at = end;
    }
  return deepest;
}

/** How deep the JSON of a text is nested whose first byte is at `from`, 0 where it holds none; and where the text ends. */
function depthOfText(json: Uint8Array, from: number): readonly [depth: number, end: number] {
  const first = json[pastBlanks(json, from)];
  const isJson = first === openBracket || first === openBrace;
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let at = from; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) return [isJson ? deepest : 0, at];
    if (byte === backslash) {
      at++;
      if (json[at] === quote) inText = !inText;
      // What the text escapes for itself may have to be escaped in the body, too.
      else if (json[at] === backslash) at += json[at + 1] === backslash ? 2 : 1;
    } else if (inText) continue;
    else if (byte === openBracket || byte === openBrace) {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (byte === closeBracket || byte === closeBrace) depth--;
  }
  return [isJson ? deepest : 0, json.length];
}

/** Where the blanks of a text end, some of which are written as `\n`, `\r` and `\t`. */
function pastBlanks(json: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    if (json[at] === blank) at++;
    else if (json[at] === backslash && blankLetters.includes(json[at + 1] ?? 0)) at += 2;
    else return at;
  }
}

/**
 * Says of a body that the gateway has failed on whether it is to blame: nobody else looks how deep bodies are nested. What is
 * thrown where the stack is used up tells nothing: V8 has been seen to say that something is no function.
 */
export function tooDeep(body: Uint8Array | undefined): string | undefined {
  const found = body && nestingOf("The body", body);
  return found && `${found}: send no more than ${deep}.`;
}

/** The same of what a vendor has said. */
export function upstreamTooDeep(said: Uint8Array | undefined, cause: unknown): GatewayError | undefined {
  const found = said && nestingOf("The upstream's answer", said);
  return found ? new GatewayError("upstream_invalid", `${found}.`, {}, { cause }) : undefined;
}

/** What is nested too deeply, and how deep; undefined where nothing is. */
function nestingOf(name: string, json: Uint8Array): string | undefined {
  const depth = depthOf(json);
  const inTexts = depth > deep ? 0 : depthInTexts(json);
  if (depth <= deep && inTexts <= deep) return undefined;
  const what = depth > deep ? `${name} is` : `${name} holds a text of JSON that is`;
  return `${what} nested ${Math.max(depth, inTexts)} levels deep, which is too much to work with`;
}
