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
      const { metadata, metadataValues } = exchange;
      return metadataValues ? { ...metadata, ...metadataValues } : metadata;
    },
    get params() {
      return bodyOf(exchange);
    },
    get url() {
      return { pathname: exchange.url.replace(/[?#].*$/s, "") };
    },
  };
}

/** A form has no parameters, and neither has a body that cannot be read: to say what is wrong with it is not for routing. */
function bodyOf({ request }: Exchange): object {
  if (request?.formType !== undefined) return {};
  try {
    const json = request?.json;
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
  } catch {
    return {};
  }
}
