import { isRecord, lessParts, type Usage, usageSum } from "../../../core/index.ts";

type Counts = (wire: unknown) => Usage | undefined;

const ofType = (iterations: unknown, ...types: readonly unknown[]): readonly unknown[] =>
  Array.isArray(iterations) ? iterations.filter((one) => isRecord(one) && types.includes(one.type)) : [];

const summaries = (iterations: unknown, counts: Counts): Usage | undefined =>
  ofType(iterations, "compaction").reduce<Usage | undefined>((sum, one) => {
    const more = counts(one);
    return more ? usageSum(more, sum) : sum;
  }, undefined);

/**
 * The usage of an answer with what summing up its context has used: the vendor bills that, and leaves it out of its totals.
 * An event that says nothing of the input is no total to add to.
 */
export function withIterations(usage: Usage | undefined, iterations: unknown, counts: Counts): Usage | undefined {
  if (usage?.inputTokens === undefined || !Array.isArray(iterations)) return usage;
  const whole = usageSum(usage, summaries(iterations, counts));
  return ofOtherModels(iterations) ? { ...whole, otherModels: true } : whole;
}

/** An adviser is a model of its own, and so is one that took over. */
function ofOtherModels(iterations: readonly unknown[]): boolean {
  const models = new Set(
    iterations.flatMap((one) => (isRecord(one) && typeof one.model === "string" ? [one.model] : [])),
  );
  return models.size > 1 || ofType(iterations, "advisor_message", "fallback_message").length > 0;
}

/** The totals as the vendor has them, for clients who are told of the iterations, too. */
export function withoutIterations(usage: Usage | undefined, iterations: unknown, counts: Counts): Usage | undefined {
  const summed = usage && summaries(iterations, counts);
  if (!summed) return usage;
  const total: Record<string, unknown> = { ...usage };
  for (const [name, count] of Object.entries(summed)) {
    const before = total[name];
    if (typeof before === "number" && typeof count === "number") total[name] = lessParts(before, count);
  }
  return total;
}
