import { fieldsIn, isRecord } from "../../../core/index.ts";
import { type Ratio, ratioOf, shownNumber } from "../arithmetic/ratio.ts";
import type { Rates, Sheet } from "./sheet.ts";

type Tiers = Pick<Sheet, "tiers" | "tierFactors" | "dearerTiers" | "cheaperTiers" | "geoFactors">;
type Listed = Readonly<Record<string, unknown>>;

/**
 * What a sheet says of service tiers and places, as members of ours in a pricing object: `service_tiers` by name, each with prices of
 * its own (`pay_as_you_go`), a `multiplier`, or that it costs `more` or `less` by nobody knows how much (`costs`); `places` by name.
 */
export function listedTiers(
  { tiers = {}, tierFactors, dearerTiers = none, cheaperTiers = none, geoFactors }: Tiers,
  payAsYouGo: (rates: Rates) => Listed,
): Listed {
  const service = {
    ...Object.fromEntries(Array.from(dearerTiers, (name) => [name, { costs: "more" }])),
    ...Object.fromEntries(Array.from(cheaperTiers, (name) => [name, { costs: "less" }])),
    ...multipliers(tierFactors),
    ...Object.fromEntries(Object.entries(tiers).map(([name, rates]) => [name, { pay_as_you_go: payAsYouGo(rates) }])),
  };
  const places = multipliers(geoFactors);
  return {
    ...(Object.keys(service).length > 0 && { service_tiers: service }),
    ...(Object.keys(places).length > 0 && { places }),
  };
}

const none: ReadonlySet<string> = new Set();

const multipliers = (factors: Readonly<Record<string, Ratio>> = {}) =>
  Object.fromEntries(Object.entries(factors).map(([name, factor]) => [name, { multiplier: shownNumber(factor) }]));

/** The same read back. Throws a RangeError on prices that are none. */
export function tiersListed({ service_tiers: service, places }: Listed, ratesOf: (wire: unknown) => Rates): Tiers {
  const named = entriesIn(service);
  const costing = (costs: string) => named.flatMap(([name, tier]) => (tier.costs === costs ? [name] : []));
  const tiers = Object.fromEntries(
    named.flatMap(([name, tier]) => (isRecord(tier.pay_as_you_go) ? [[name, ratesOf(tier.pay_as_you_go)]] : [])),
  );
  const tierFactors = factorsIn(named);
  const geoFactors = factorsIn(entriesIn(places));
  const dearer = costing("more");
  const cheaper = costing("less");
  return {
    ...(Object.keys(tiers).length > 0 && { tiers }),
    ...(tierFactors && { tierFactors }),
    ...(dearer.length > 0 && { dearerTiers: new Set(dearer) }),
    ...(cheaper.length > 0 && { cheaperTiers: new Set(cheaper) }),
    ...(geoFactors && { geoFactors }),
  };
}

const isEntry = (entry: [string, unknown]): entry is [string, Listed] => isRecord(entry[1]);
const entriesIn = (value: unknown) => Object.entries(fieldsIn(value)).filter(isEntry);

function factorsIn(entries: readonly (readonly [string, Listed])[]): Readonly<Record<string, Ratio>> | undefined {
  const factors = entries.flatMap(([name, { multiplier }]) =>
    typeof multiplier === "number" || typeof multiplier === "string" ? [[name, ratioOf(multiplier)] as const] : [],
  );
  return factors.length > 0 ? Object.fromEntries(factors) : undefined;
}
