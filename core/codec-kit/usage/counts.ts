/** A count as vendors write it. Some write it as text, and -1 for what they do not know. */
export function tokenCount(value: unknown): number | undefined {
  const count = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof count === "number" && Number.isFinite(count) && count >= 0 ? count : undefined;
}

/** What is known of some counts, together. */
export const sumOf = (...counts: readonly (number | undefined)[]): number => {
  let sum = 0;
  for (const count of counts) sum += count ?? 0;
  return sum;
};

/** The same, and undefined where none is known: unknown is not zero. */
export const totalOf = (...counts: readonly (number | undefined)[]): number | undefined => {
  let total: number | undefined;
  for (const count of counts) if (count !== undefined) total = (total ?? 0) + count;
  return total;
};

/** A total without its parts. Vendors round: what would be less than nothing is nothing. */
export const lessParts = (total: number | undefined, ...parts: readonly (number | undefined)[]): number | undefined =>
  total === undefined ? undefined : Math.max(0, total - sumOf(...parts));
