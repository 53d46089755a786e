import { type Fields, isRecord } from "../records.ts";

/** Places after the point of what xAI counts in: "1 USD = 10,000,000,000 ticks" (cost tracking). */
const placesOfTicks = 10;

/**
 * What a `usage` object says was charged, in dollars, as OpenRouter, xAI, Perplexity and DeepInfra say it: `cost`, and what a
 * vendor behind charges the key of one's own that was used (`is_byok`), which is not in it; `cost_in_usd_ticks`; `cost.total_cost`;
 * or `estimated_cost`. Undefined where it is not said, or not all of it. Numbers are what their shortest decimal text is.
 */
export function chargedIn(usage: Readonly<Fields>): string[] | undefined {
  const {
    estimated_cost: estimated,
    cost = estimated,
    cost_in_usd_ticks: ticks,
    is_byok: ownKey,
    cost_details: details,
  } = usage;
  if (cost === undefined && ticks === undefined) return undefined;
  if (isTicks(ticks)) return [`${ticks}e-${placesOfTicks}`];
  const whole = isRecord(cost) && (cost.currency ?? "USD") === "USD" ? cost.total_cost : cost;
  const amounts = ownKey === true ? [whole, isRecord(details) ? details.upstream_inference_cost : undefined] : [whole];
  return amounts.every(isAmount) ? amounts.map(String) : undefined;
}

/** The same as such an object has it. */
export function writtenCharge(charged: readonly string[] | undefined): Fields {
  const [cost, upstream] = charged ?? [];
  if (cost === undefined) return {};
  if (upstream === undefined) return { cost: Number(cost) };
  return { cost: Number(cost), is_byok: true, cost_details: { upstream_inference_cost: Number(upstream) } };
}

const isAmount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

const isTicks = (value: unknown): value is number => Number.isSafeInteger(value) && isAmount(value);
