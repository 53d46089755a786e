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
  exchange.metadata = own ? laid(exchange, own, said) : said;
}

function laid(exchange: Exchange, own: Metadata, said: Metadata): Metadata {
  // Most requests have none.
  if (exchange.headers.baggage === undefined) return { ...said, ...own, ...said };
  const wins = (name: string) => !Object.hasOwn(said, name) || isOnlyBaggage(exchange, name, said);
  return { ...said, ...Object.fromEntries(Object.entries(own).filter(([name]) => wins(name))) };
}
