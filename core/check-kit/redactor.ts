/** A place in a text. */
export interface Finding {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
  /** `EMAIL_ADDRESS`, … */
  readonly kind: string;
  /** Whether it is a value of JSON that stands without quotes. */
  readonly bare?: boolean;
}

/**
 * Finds what is to be taken out of a text, for one text from its beginning to its end. Findings are in order and do not
 * overlap; one is told by at most `window` characters of its own and `context` ones before and behind it, and of two that
 * overlap, the one that begins first counts: so a stream, of which only a part is there, gives the same findings.
 */
export interface Redactor {
  /** Undefined where there is no bound: streams have to end before anything of them is sent. */
  readonly window: number | undefined;
  readonly context: number;
  /**
   * Those that begin at `from` or later (0 unless said): what stands before it was dealt with, and is context. `begins` is
   * where in the whole text this part of it begins (0 unless said).
   */
  find(text: string, from?: number, begins?: number): readonly Finding[];
  /** Called once for each finding that counts, in order. */
  replacement(finding: Finding, matched: string): string;
}

/** The text without what was found, and what that was. */
export function redacted(text: string, redactor: Redactor): { readonly text: string; readonly found: Finding[] } {
  const found = [...redactor.find(text)];
  let out = "";
  let at = 0;
  for (const finding of found) {
    out += text.slice(at, finding.start) + redactor.replacement(finding, text.slice(finding.start, finding.end));
    at = finding.end;
  }
  return { text: out + text.slice(at), found };
}

/** Texts as results want them: null for those in which nothing was found. Each has a redactor of its own, unless they count together. */
export function redactedTexts(
  texts: readonly string[],
  make: () => Redactor,
): { readonly texts: (string | null)[]; readonly found: Finding[] } {
  const all = texts.map((text) => redacted(text, make()));
  return {
    texts: all.map(({ text, found }) => (found.length === 0 ? null : text)),
    found: all.flatMap(({ found }) => found),
  };
}

/** The beginning of a text, as `data` shows it. */
export const excerptOf = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}...` : text);
