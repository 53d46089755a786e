import type { MatchLogic } from "@pydantic/genai-prices";

/** Whether a name (lower case) is meant by a rule of the catalogue. */
export function isMeant(rule: MatchLogic, name: string): boolean {
  if ("or" in rule) return rule.or.some((one) => isMeant(one, name));
  if ("and" in rule) return rule.and.every((one) => isMeant(one, name));
  if ("equals" in rule) return name === rule.equals.toLowerCase();
  if ("starts_with" in rule) return name.startsWith(rule.starts_with.toLowerCase());
  if ("ends_with" in rule) return name.endsWith(rule.ends_with.toLowerCase());
  if ("contains" in rule) return name.includes(rule.contains.toLowerCase());
  return new RegExp(rule.regex).test(name);
}

/** Longest name that is looked for: what is longer is no model, and rules are not to be tried on it for long. */
export const longestName = 200;

/** The same name with its day written with hyphens, as some entries have it: `-20250929` as `-2025-09-29`. */
export const withHyphens = (name: string): string =>
  name.replace(/-(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)/g, "-$1-$2-$3");
