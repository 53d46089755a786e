import type { ProviderRegistry } from "../../../core/index.ts";
import type { PricingOptions } from "../options.ts";

type Providers = Pick<ProviderRegistry, "all" | "isVendor" | "stores">;

/** A key of one's own prices that no model of the file's providers is priced by, and what may have been meant. */
export interface Unmatched {
  readonly key: string;
  readonly reason: string;
}

/** Where providers are kept besides those of the file, or the file has none, nobody knows yet who will be asked. */
export function unmatchedKeys(
  { models, workspaces }: Pick<PricingOptions, "models" | "workspaces">,
  providers: Providers,
) {
  const there = providers.all();
  if (providers.stores || there.length === 0) return [];
  const keys = [models, ...Object.values(workspaces).map((table) => table.models)].flatMap((table) =>
    Object.keys(table),
  );
  return [...new Set(keys)].flatMap((key) => unmatched(key, there, providers) ?? []);
}

function unmatched(key: string, there: ReturnType<Providers["all"]>, { isVendor }: Providers): Unmatched | undefined {
  const whose = key.slice(0, Math.max(key.indexOf("/"), 0));
  if (whose.startsWith("@")) {
    if (there.some(({ slug }) => `@${slug}` === whose)) return undefined;
    return { key, reason: `there is no provider "${whose}"; there are ${list(there.map(({ slug }) => `@${slug}`))}` };
  }
  if (whose === "" || !isVendor(whose) || there.some(({ name }) => name === whose)) return undefined;
  const [other] = there;
  return {
    key,
    reason: `no provider of the file is one of ${whose}, whose models it is for; what another one calls "${key}" is "${other?.name}/${key}" or "@${other?.slug}/${key}"`,
  };
}

const list = (names: readonly string[]): string => [...new Set(names)].join(", ");
