const longestTold = 60;

/**
 * What stands where something else has to be, for a problem: `the number -1`. Of lists and objects only that they are, and of
 * everything else, too, where it may be a secret (`told` is false). Nothing where nothing stands.
 */
export function foundThere(value: unknown, told = true): { readonly found?: string } {
  if (value === undefined) return {};
  const text = value !== null && typeof value === "object" ? undefined : JSON.stringify(value);
  if (!told || text === undefined || text.length > longestTold) return { found: kindOf(value) };
  return {
    found: `${typeof value === "string" ? "the text " : typeof value === "number" ? "the number " : ""}${text}`,
  };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "number" ? "a number" : "true or false";
}
