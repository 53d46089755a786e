import { GatewayError } from "../../errors/gateway-error.ts";

/** Levels of JSON that nobody needs; translating, checking and writing it take a step of the stack or several for each. */
const deep = 500;

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\[]{}');

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

/**
 * Says of a body that the gateway has failed on whether it is to blame: nobody else looks how deep bodies are nested. What is
 * thrown where the stack is used up tells nothing: V8 has been seen to say that something is no function.
 */
export function tooDeep(body: Uint8Array | undefined): string | undefined {
  const depth = body ? depthOf(body) : 0;
  return depth > deep
    ? `The body is nested ${depth} levels deep, which is too much to work with: send no more than ${deep}.`
    : undefined;
}

/** The same of what a vendor has said. */
export function upstreamTooDeep(said: Uint8Array | undefined, cause: unknown): GatewayError | undefined {
  const depth = said ? depthOf(said) : 0;
  if (depth <= deep) return undefined;
  const message = `The upstream's answer is nested ${depth} levels deep, which is too much to work with.`;
  return new GatewayError("upstream_invalid", message, {}, { cause });
}
