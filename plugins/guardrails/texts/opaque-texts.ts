/**
 * Texts of a block that only one format knows, or nobody: whatever it is called, what stands in it as `text` is text to
 * whoever takes it (guardrails.md section 6.1), on top of it or in the blocks it is made of (`search_result`).
 */
export function opaqueTexts(value: unknown): readonly string[] {
  const texts: string[] = [];
  mapped(value, deepest, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** The block with other texts in their places, in the order `opaqueTexts` gave them; null keeps one. */
export const withOpaqueTexts = (value: unknown, next: () => string | null): unknown =>
  mapped(value, deepest, (text) => next() ?? text);

/** No format has its texts deeper than this. */
const deepest = 32;

function mapped(value: unknown, depth: number, change: (text: string) => string): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((one) => mapped(one, depth - 1, change));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === "text" && typeof one === "string" ? change(one) : mapped(one, depth - 1, change),
    ]),
  );
}
