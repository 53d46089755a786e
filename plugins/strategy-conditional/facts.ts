import type { Exchange } from "../../core/index.ts";

/** What conditions are asked about. Everything is looked up when first asked for: reading `params` parses the body. */
export interface Facts {
  readonly metadata: object;
  /** The top level of the client's JSON body; empty when there is none. */
  readonly params: object;
  readonly url: { readonly pathname: string };
}

export function factsOf(exchange: Exchange): Facts {
  return {
    get metadata() {
      return exchange.metadata;
    },
    get params() {
      return bodyOf(exchange);
    },
    get url() {
      return { pathname: exchange.url.replace(/[?#].*$/s, "") };
    },
  };
}

/** A body that cannot be read has no parameters: saying what is wrong with it is not routing's business. */
function bodyOf({ request }: Exchange): object {
  try {
    const json = request?.json;
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
  } catch {
    return {};
  }
}
