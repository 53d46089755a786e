import type { Exchange } from "../../model/exchange.ts";
import { requestOf } from "./request-of.ts";

/** The client's JSON. A body that cannot be parsed was the vendor's to judge. */
export function askedIn(
  exchange: Pick<Exchange, "attempt" | "request">,
): Readonly<Record<string, unknown>> | undefined {
  try {
    return requestOf(exchange)?.json as Readonly<Record<string, unknown>> | undefined;
  } catch {
    return undefined;
  }
}
