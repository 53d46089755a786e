import { type Exchange, foundFor, isOnlyBaggage, slot } from "../../../core/index.ts";

type Metadata = Readonly<Record<string, string>>;

/** What requests said of themselves, where a config has added to it. */
const ofRequests = slot<Exchange, Metadata>("routing: metadata of the request");

/**
 * Lays a node's metadata below that of the request, in place of what another node had put there. What is in `baggage` only
 * goes below that.
 */
export function layMetadata(exchange: Exchange, own: Metadata | undefined): void {
  // A branch began with what a node had put there for the target it runs beside.
  let said = foundFor(ofRequests, exchange);
  if (!said) {
    if (!own) return;
    said = exchange.metadata;
  }
  ofRequests.set(exchange, said);
  const above = said;
  const wins = (name: string) => !Object.hasOwn(above, name) || isOnlyBaggage(exchange, name, above);
  const laid = Object.entries(own ?? {}).filter(([name]) => wins(name));
  exchange.metadata = own ? { ...said, ...Object.fromEntries(laid) } : said;
}
