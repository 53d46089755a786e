/** Whether two values are the same as JSON, whatever the order of keys. */
export const same = (left: unknown, right: unknown): boolean =>
  JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
};
