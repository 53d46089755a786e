import type { Exchange } from "../../model/exchange.ts";
import type { Target } from "../../model/route.ts";
import { plainPath } from "../../percent-decoded.ts";

const named = /\/(?:(?:model|deployments|engines)\/([^/]+)\/|models\/([^:]+):\w)/;

/**
 * The model that the URL of a raw call names (policies.md section 5.5): `/model/NAME/…`, `/deployments/NAME/…`,
 * `/models/NAME:…`. Vendors with such URLs go by them, whatever the body says. Only calls that put a model to work have one.
 */
export function modelInUrl({ url, method }: Pick<Exchange, "url" | "method">): string | undefined {
  if (method !== "POST") return undefined;
  const [, one, other] = named.exec(plainPath(url)) ?? [];
  try {
    return decodeURIComponent(one ?? other ?? "") || undefined;
  } catch {
    return undefined;
  }
}

/** A target as a raw call asks it: for the model that its URL names. */
export function asNamedInUrl(exchange: Pick<Exchange, "url" | "method" | "endpoint">, target: Target): Target {
  const { rawBody, procedure } = exchange.endpoint;
  const model = rawBody && !procedure ? modelInUrl(exchange) : undefined;
  return model === undefined ? target : { ...target, model };
}
