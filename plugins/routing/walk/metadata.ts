import type { Exchange } from "../../../core/index.ts";

type Metadata = Readonly<Record<string, string>>;

/** What requests said of themselves, where a config has added to it. */
const ofRequests = new WeakMap<Exchange, Metadata>();

/** Lays a node's metadata below that of the request, in place of what another node had put there. */
export function layMetadata(exchange: Exchange, own: Metadata | undefined): void {
  let said = saidIn(exchange);
  if (!said) {
    if (!own) return;
    said = exchange.metadata;
  }
  ofRequests.set(exchange, said);
  exchange.metadata = own ? { ...own, ...said } : said;
}

/** A branch began with what a node had put there for the target it runs beside. */
function saidIn(exchange: Exchange): Metadata | undefined {
  for (let one: Exchange | undefined = exchange; one; one = one.trunk) {
    const said = ofRequests.get(one);
    if (said) return said;
  }
  return undefined;
}
