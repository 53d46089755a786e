/** Whether a text stands somewhere inside a value: in a string of it, as the name of a field, or in JSON kept as base64. */
export function holds(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text) || insideBase64(value).includes(text);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => name === text || holds(inner, text));
}

/** JSON objects begin with a brace and a quote, in base64 too. */
const insideBase64 = (value: string): string => (/^ey/.test(value) ? Buffer.from(value, "base64").toString() : "");
