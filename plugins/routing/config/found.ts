const longestTold = 60;

/**
 * Behind what a value has to be, the one that is there: `; found the number -1`. Of lists and objects only that they are,
 * and of everything else, too, where it may be a secret (`told` is false).
 */
export function found(value: unknown, told = true): string {
  if (value === undefined) return "";
  const text = value !== null && typeof value === "object" ? undefined : JSON.stringify(value);
  if (!told || text === undefined || text.length > longestTold) return `; found ${kindOf(value)}`;
  return `; found ${typeof value === "string" ? "the text " : typeof value === "number" ? "the number " : ""}${text}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "number" ? "a number" : "true or false";
}
