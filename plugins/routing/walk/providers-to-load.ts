import type { Exchange, ProviderRegistry } from "../../../core/index.ts";
import type { Leaf } from "./leaf.ts";
import type { Selector } from "./select-provider.ts";

interface LoadContext {
  readonly providers: Pick<ProviderRegistry, "configured" | "fieldsOf">;
  readonly selector: Selector;
}

/** Waits for the providers of a config that are not loaded yet, since a walk waits for nothing. */
export function providersToLoad(
  leaves: readonly Pick<Leaf, "providerNames" | "fromRequest">[],
  { providers, selector }: LoadContext,
): (exchange: Exchange) => Promise<unknown> | undefined {
  const fromRequest = leaves.some((one) => one.fromRequest);
  const pending = new Set(leaves.flatMap((one) => one.providerNames));

  const loadingOf = (name: string): Promise<unknown>[] => {
    if (providers.configured(name)) return [];
    const fields = providers.fieldsOf(name);
    return fields instanceof Promise ? [fields] : [];
  };
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
      const loading = loadingOf(name);
      if (loading.length === 0) pending.delete(name);
      waiting.push(...loading);
    }
    const asked = fromRequest ? ofRequest(exchange) : undefined;
    if (asked !== undefined) waiting.push(...loadingOf(asked));
    return waiting.length > 0 ? Promise.allSettled(waiting) : undefined;
  };
}
