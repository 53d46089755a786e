const longestTold = 60;

/**
 * What stands where something else has to be: `the number -1`. Of lists and objects only that they are, and of everything
 * else, too, where it may be a secret (`told` is false). Undefined where nothing stands.
 */
export function found(value: unknown, told = true): string | undefined {
  if (value === undefined) return undefined;
  const text = value !== null && typeof value === "object" ? undefined : JSON.stringify(value);
  if (!told || text === undefined || text.length > longestTold) return kindOf(value);
  return `${typeof value === "string" ? "the text " : typeof value === "number" ? "the number " : ""}${text}`;
}

/** The same as a member of a problem. */
export function foundThere(value: unknown, told = true): { readonly found?: string } {
  const there = found(value, told);
  return there === undefined ? {} : { found: there };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "number" ? "a number" : "true or false";
}
