/** A part of a text, in UTF-16 units; the end is the first that is not of it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where words stand in a text, one behind the other. */
export function occurrencesOf(words: string, text: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length))
    found.push({ start: at, end: at + words.length });
  return found;
}

/** A text with spans of it replaced; of those that overlap, the first one's token stands for all. */
export function withSpans(text: string, spans: readonly (Span & { readonly token: string })[]): string {
  let out = "";
  let at = 0;
  for (const { start, end, token } of [...spans].sort((one, other) => one.start - other.start)) {
    if (start >= at) out += text.slice(at, start) + token;
    at = Math.max(at, end);
  }
  return out + text.slice(at);
}
