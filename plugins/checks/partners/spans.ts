import { occurrencesOf, type Span, withSpans } from "../../../core/index.ts";

/** What a service found in a text, and what is to stand there instead: of what stands there, too. */
export interface FoundSpan extends Span {
  /** The words it is, where the service says them. */
  readonly words?: string | null | undefined;
  readonly token: string | ((section: string) => string);
}

/** A text with what was found in it replaced; undefined where something of it is not in the text. */
export function withFindings(text: string, findings: readonly FoundSpan[]): string | undefined {
  const places = new Places(text);
  const spans: (Span & { readonly token: string })[] = [];
  for (const { token, ...finding } of findings) {
    const found = places.of(finding);
    if (found.length === 0) return undefined;
    for (const { start, end } of found)
      spans.push({ start, end, token: typeof token === "string" ? token : token(text.slice(start, end)) });
  }
  return withSpans(text, spans);
}

/**
 * Where in a text something is that a service found. Services count characters or UTF-16 units, and do not say which: what
 * they name is where its words are; otherwise it may be in either place. Empty where it is in none.
 */
class Places {
  readonly #text: string;
  /** Which characters of the text have two units, by number from the first character on. */
  readonly #pairs: readonly number[];
  /** Where words are that are in neither place: services say the same ones again and again. */
  readonly #named = new Map<string, readonly Span[]>();

  constructor(text: string) {
    this.#text = text;
    this.#pairs = pairsIn(text);
  }

  of({ start, end, words }: Omit<FoundSpan, "token">): readonly Span[] {
    const text = this.#text;
    const inCharacters = { start: this.#unitsBefore(start), end: this.#unitsBefore(end) };
    if (words) {
      const exact = [{ start, end }, inCharacters].find((one) => text.slice(one.start, one.end) === words);
      return exact ? [exact] : this.#occurrences(words);
    }
    const inUnits = whole(text, { start, end });
    const isSame = inUnits.start === inCharacters.start && inUnits.end === inCharacters.end;
    const places = isSame ? [inUnits] : [inUnits, inCharacters];
    return places.filter((one) => one.start < one.end && one.end <= text.length);
  }

  #occurrences(words: string): readonly Span[] {
    const known = this.#named.get(words);
    // All of them are told of already.
    if (known) return known.slice(0, 1);
    const found = occurrencesOf(words, this.#text);
    this.#named.set(words, found);
    return found;
  }

  /** How many UTF-16 units so many characters at the beginning have; infinitely many where there are not as many. */
  #unitsBefore(characters: number): number {
    let [from, to] = [0, this.#pairs.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#pairs[middle] ?? 0) < characters) from = middle + 1;
      else to = middle;
    }
    const units = characters + from;
    return units <= this.#text.length ? units : Number.POSITIVE_INFINITY;
  }
}

function pairsIn(text: string): number[] {
  const pairs: number[] = [];
  for (let at = 0; at < text.length; at++)
    if ((text.codePointAt(at) ?? 0) > 0xffff) {
      pairs.push(at - pairs.length);
      at++;
    }
  return pairs;
}

/** No half of a character is left. */
function whole(text: string, { start, end }: Span): Span {
  return { start: start - (isInside(text, start) ? 1 : 0), end: end + (isInside(text, end) ? 1 : 0) };
}

const isInside = (text: string, at: number): boolean => at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
