import { z } from "../../core/index.ts";
import { patternField, patternOf } from "./patterns.ts";

/** How a value has to match what is expected: `contains` any of it, `containsAll` of it. */
export const matchType = z.enum(["exact", "contains", "containsAll", "regex"]);
export type MatchType = z.output<typeof matchType>;

/** Whether one of several texts that are looked for is what a list of texts holds, in the way asked for. */
export function valueMatches(value: unknown, expected: readonly string[], how: MatchType): boolean {
  const text = textOf(value);
  if (text === undefined) return false;
  switch (how) {
    case "exact":
      return !Array.isArray(value) && expected.includes(text);
    case "contains":
      return expected.some((one) => has(value, one));
    case "containsAll":
      return expected.length > 0 && expected.every((one) => has(value, one));
    case "regex":
      return expected.some((one) => patternOf(one).first(text) !== undefined);
  }
}

/** Of values that are expected as patterns, what is wrong with them. */
export function refusePatterns(expected: readonly string[], how: MatchType): string | undefined {
  const mistakes = how === "regex" ? expected.map((one) => patternField.safeParse(one)) : [];
  const [issue] = mistakes.find(({ success }) => !success)?.error?.issues ?? [];
  return issue?.message;
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? value.map((one) => textOf(one) ?? "").join(",") : undefined;
}

/** Lists hold their items, texts their words and the parts of them. */
const has = (value: unknown, one: string): boolean =>
  Array.isArray(value) ? value.some((item) => textOf(item) === one) : (textOf(value)?.includes(one) ?? false);
