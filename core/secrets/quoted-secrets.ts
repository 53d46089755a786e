import { occurrencesOf, withSpans } from "../spans.ts";

/** Text of a vendor without what it was called with: it sometimes quotes the credential it refuses. What has three letters or less is none. */
export function withoutQuoted(text: string, secrets: readonly string[], shown = "***"): string {
  // The longest first: where one begins with another, nothing of it is left.
  const hidden = secrets.filter((secret) => secret.length > 3).sort((one, other) => other.length - one.length);
  const clean = hidden
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .reduce((left, spelling) => left.replaceAll(spelling, shown), text);
  return clean.includes("\\") ? withoutEscaped(clean, hidden, shown) : clean;
}

/** The same of what JSON says: every text in it and every name, so that what is left is JSON whatever the secrets are. */
export function valueWithoutQuoted(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return withoutQuoted(value, secrets);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => valueWithoutQuoted(one, secrets));
  return recordWithoutQuoted(value, secrets);
}

export const recordWithoutQuoted = (value: object, secrets: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [withoutQuoted(name, secrets), valueWithoutQuoted(member, secrets)]),
  );

/**
 * The same for text that is JSON, which may write every character in several ways: "/" as "\/", and "+" by its number, "\u002B".
 * It is read once, and looked for what it says, so that it takes no longer with secrets that are long, or all of one letter.
 */
function withoutEscaped(text: string, secrets: readonly string[], token: string): string {
  const { plain, escapes } = unescaped(text);
  const inText = (at: number): number => at + longerBefore(at, escapes);
  const found = secrets.flatMap((secret) => occurrencesOf(secret, plain));
  return withSpans(
    text,
    found.map(({ start, end }) => ({ start: inText(start), end: inText(end), token })),
  );
}

interface Escape {
  /** Where it is in the plain text. */
  readonly at: number;
  /** How much longer the text is up to it and with it than what it says. */
  readonly longer: number;
}

const named: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): { readonly plain: string; readonly escapes: readonly Escape[] } {
  const escapes: Escape[] = [];
  let longer = 0;
  const plain = text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (written, number, other, at) => {
    const place = at - longer;
    longer += written.length - 1;
    escapes.push({ at: place, longer });
    return number === undefined ? (named[other] ?? other) : String.fromCharCode(Number.parseInt(number, 16));
  });
  return { plain, escapes };
}

function longerBefore(at: number, escapes: readonly Escape[]): number {
  let [from, to] = [0, escapes.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((escapes[middle]?.at ?? at) < at) from = middle + 1;
    else to = middle;
  }
  return escapes[from - 1]?.longer ?? 0;
}
