/** A part of a text, in UTF-16 units; the end is the first that is not of it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where in a text something is that a service found. Services count characters or UTF-16 units, and do not say which: what
 * they name is where its words are; otherwise it may be in either place. Empty where it is in none.
 */
export function placesOf(text: string, { start, end }: Span, words?: string | null): readonly Span[] {
  if (words) return text.slice(start, end) === words ? [{ start, end }] : occurrences(text, words);
  const inUnits = whole(text, { start, end });
  const inCharacters = { start: unitsBefore(text, start), end: unitsBefore(text, end) };
  const places =
    inUnits.start === inCharacters.start && inUnits.end === inCharacters.end ? [inUnits] : [inUnits, inCharacters];
  return places.filter((one) => one.start < one.end && one.end <= text.length);
}

function occurrences(text: string, words: string): readonly Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length))
    found.push({ start: at, end: at + words.length });
  return found;
}

/** How many UTF-16 units so many characters at the beginning of a text have; infinitely many where it has not as many. */
function unitsBefore(text: string, characters: number): number {
  let units = 0;
  for (let left = characters; left > 0; left--) {
    if (units >= text.length) return Number.POSITIVE_INFINITY;
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

/** No half of a character is left. */
function whole(text: string, { start, end }: Span): Span {
  return { start: start - (isInside(text, start) ? 1 : 0), end: end + (isInside(text, end) ? 1 : 0) };
}

const isInside = (text: string, at: number): boolean => at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;

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
