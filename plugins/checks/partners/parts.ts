import type { CheckResult } from "../../../core/index.ts";

/** Asks for each text that says something, all at once; null for those that say nothing. */
export const forEachText = <Answer>(
  texts: readonly string[],
  ask: (text: string) => Promise<Answer>,
): Promise<(Answer | null)[]> => Promise.all(texts.map((text) => (text === "" ? null : ask(text))));

/** The texts that say something, and what a service made of them, back in the places they came from. */
export function spoken(texts: readonly string[]) {
  const places = texts.flatMap((text, place) => (text === "" ? [] : [place]));
  return {
    sent: places.map((place) => texts[place] ?? ""),
    back: (made: readonly (string | null)[]): (string | null)[] =>
      texts.map((text, place) => {
        const replacement = made[places.indexOf(place)] ?? null;
        return text === "" || replacement === text ? null : replacement;
      }),
  };
}

/** The part of a result that replaces texts; empty where none is replaced. */
export const replacing = (texts: readonly (string | null)[]): Pick<CheckResult, "texts"> =>
  texts.some((text) => text !== null) ? { texts } : {};

/** A text with spans of it replaced; of those that overlap, the first one's token stands for all. */
export function withSpans(
  text: string,
  spans: readonly { readonly start: number; readonly end: number; readonly token: string }[],
): string {
  let out = "";
  let at = 0;
  for (const { start, end, token } of [...spans].sort((one, other) => one.start - other.start)) {
    if (start >= at) out += text.slice(at, start) + token;
    at = Math.max(at, end);
  }
  return out + text.slice(at);
}
