/** Whether a text stands somewhere inside a value: in a string of it, or as the name of a field. */
export function holds(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => name === text || holds(inner, text));
}
