import type { Exchange, ProviderRegistry } from "../../../core/index.ts";
import type { Leaf } from "./leaf.ts";
import type { Selector } from "./select-provider.ts";

interface LoadContext {
  readonly providers: Pick<ProviderRegistry, "load">;
  readonly selector: Selector;
}

/** Waits for the providers of a config that are not at hand yet, since a walk waits for nothing. */
export function providersToLoad(
  leaves: readonly Pick<Leaf, "providerNames" | "fromRequest">[],
  { providers, selector }: LoadContext,
): (exchange: Exchange) => Promise<unknown> | undefined {
  const fromRequest = leaves.some((one) => one.fromRequest);
  const pending = new Set(leaves.flatMap((one) => one.providerNames));

  const ofRequest = (exchange: Exchange): string | undefined => {
    try {
      return selector.named(exchange)?.name;
    } catch {
      // The leaf itself will say so, in an answer that can be fallen back from.
      return undefined;
    }
  };

  return (exchange) => {
    const waiting: Promise<unknown>[] = [];
    for (const name of pending) {
      const loading = providers.load(name, exchange);
      if (loading) waiting.push(loading);
      // Whom a stored one is for is known with the request only.
      else if (!name.startsWith("@")) pending.delete(name);
    }
    const asked = fromRequest ? ofRequest(exchange) : undefined;
    const loading = asked === undefined ? undefined : providers.load(asked, exchange);
    if (loading) waiting.push(loading);
    return waiting.length > 0 ? Promise.all(waiting) : undefined;
  };
}
