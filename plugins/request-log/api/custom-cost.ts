import type { BoundProvider, Cost, Exchange, PluginContext, PricesService, Usage } from "../../../core/index.ts";

export interface CustomPrices {
  readonly prices: PricesService | undefined;
  readonly providers: Pick<PluginContext["providers"], "configured" | "forExchange">;
}

/** Who a request went to, as far as it is said. */
export interface WentTo {
  /** The slug of a provider here: it counts before the vendor. */
  readonly virtualKey: string | null;
  /** The name of one, or the slug of a provider of the config file. */
  readonly vendor: string | null;
  /** Asked for, and answered with: the first that has a price counts. */
  readonly models: readonly (string | null)[];
}

/** Whom the entry, or else the headers of the call that brings it, say it went to. */
export async function wentTo(
  vendor: string | undefined,
  models: readonly (string | null)[],
  exchange: Exchange,
  providers: CustomPrices["providers"],
): Promise<WentTo> {
  const header = exchange.gatewayHeaders.get("provider");
  const slugged = header?.startsWith("@") ? header.replace(/\/.*$/s, "") : undefined;
  const virtualKey = (exchange.gatewayHeaders.get("virtual-key") ?? slugged)?.replace(/^@/, "") ?? null;
  const named = vendor ?? (slugged === undefined ? header : undefined);
  if (named !== undefined || virtualKey === null) return { virtualKey, vendor: named ?? null, models };
  const known = await stored(virtualKey, models.find((model) => model !== null) ?? "", exchange, providers);
  return { virtualKey, vendor: known?.name ?? null, models };
}

/** What a request that went elsewhere cost, where its provider, its model and what it used are recognised. */
export async function customCost(
  exchange: Exchange,
  { virtualKey, vendor, models }: WentTo,
  usage: Usage | undefined,
  { prices, providers }: CustomPrices,
): Promise<Cost | undefined> {
  if (!prices || !usage) return undefined;
  await prices.ready?.();
  for (const model of models) {
    if (!model) continue;
    const own = virtualKey === null ? undefined : await stored(virtualKey, model, exchange, providers);
    const provider = own ?? (vendor === null ? undefined : providers.configured(vendor));
    const cost = provider
      ? prices.costOf({ exchange, attempt: { target: { path: "config", provider, model } } }, usage)
      : vendor === null
        ? undefined
        : prices.costElsewhere?.(exchange, vendor, model, usage);
    if (cost?.amount !== undefined) return cost;
  }
  return undefined;
}

/** A slug may be anybody's: one that is not known here says nothing of a price. */
async function stored(
  slug: string,
  model: string,
  exchange: Exchange,
  providers: CustomPrices["providers"],
): Promise<BoundProvider | undefined> {
  try {
    return await providers.forExchange(`@${slug}`, exchange, false, undefined, model);
  } catch {
    return undefined;
  }
}
