import { GatewayError } from "./gateway-error.ts";

/** The code of whatever lies behind an error, in brackets and with a space before it: ` (ENOTFOUND)`. */
export function codeOf(cause: unknown): string {
  const code = codeIn(cause);
  return code === undefined ? "" : ` (${code})`;
}

export function codeIn(cause: unknown): string | undefined {
  for (let inner = cause; inner instanceof Error; inner = inner.cause)
    // The code of an error of the gateway is none of what went wrong below it.
    if (!(inner instanceof GatewayError) && "code" in inner && inner.code !== undefined) return String(inner.code);
  return undefined;
}
