import { type Fields, isRecord } from "../records.ts";

/**
 * What a `usage` object says was charged, in dollars: `cost`, and what a vendor behind charges the key of one's own that was used
 * (`is_byok`), which is not in it. Undefined where it is not said, or not all of it. Numbers are what their shortest decimal text is.
 */
export function chargedIn({ cost, is_byok: ownKey, cost_details: details }: Readonly<Fields>): string[] | undefined {
  const amounts = ownKey === true ? [cost, isRecord(details) ? details.upstream_inference_cost : undefined] : [cost];
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
