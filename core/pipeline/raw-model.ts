import type { Exchange } from "../model/exchange.ts";

const named = /\/(?:(?:model|deployments|engines)\/([^/?]+)\/|models\/([^:?]+):\w)/;

/**
 * The model that the URL of a raw call names, where its body names none (policies.md section 5.5): `/model/NAME/…`,
 * `/deployments/NAME/…`, `/models/NAME:…`. Only calls that put a model to work have one.
 */
export function modelInUrl({ url, method, request }: Pick<Exchange, "url" | "method" | "request">): string | undefined {
  if (method !== "POST" || request?.model !== undefined) return undefined;
  const [, one, other] = named.exec(url) ?? [];
  try {
    return decodeURIComponent(one ?? other ?? "") || undefined;
  } catch {
    return undefined;
  }
}
