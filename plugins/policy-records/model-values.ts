import type { KeptCondition, Mistake } from "./conditions.ts";

/**
 * What the conditions given here say of models and no request can meet (policies.md section 3.5): without an `@` the whole
 * name is compared, and a wildcard stands for the end of a name behind `@provider/`. A slash says nothing: models of vendors
 * have some in their names.
 */
export const unmatchedModels = (conditions: readonly KeptCondition[]): Mistake[] =>
  conditions.flatMap(({ key, value, excludes = [] }, at) =>
    key === "model"
      ? [...unmatchedIn(value, ["conditions", at, "value"]), ...unmatchedIn(excludes, ["conditions", at, "excludes"])]
      : [],
  );

const unmatchedIn = (given: string | readonly string[], path: Mistake["path"]): Mistake[] =>
  [given].flat().flatMap((one, at) => {
    const message = whyUnmatched(one);
    return message === undefined ? [] : [{ path: typeof given === "string" ? path : [...path, at], message }];
  });

function whyUnmatched(pattern: string): string | undefined {
  if (pattern === "*") return undefined;
  const matchesNothing = `"${pattern}" matches no model`;
  if (!pattern.startsWith("@")) {
    if (!pattern.includes("*")) return undefined;
    const meant = /^[^/*]+\/[^*]*\*$/.test(pattern) ? `"@${pattern}"` : `"@PROVIDER/${pattern}"`;
    return `${matchesNothing}: without an @ the whole name is compared; write ${meant}`;
  }
  const [, provider = "", name = ""] = /^@([^/]*)\/(.*)$/s.exec(pattern) ?? [];
  if (provider === "" || name === "")
    return `${matchesNothing}: write "@PROVIDER/MODEL", or "@PROVIDER/*" for all of its models`;
  if (provider.includes("*"))
    return `${matchesNothing}: a wildcard stands for no provider; the name alone ("MODEL") is that of any`;
  if (name.slice(0, -1).includes("*"))
    return `${matchesNothing}: a wildcard stands at the end only; write "@PROVIDER/BEGINNING*"`;
  return undefined;
}
