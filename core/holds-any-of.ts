/**
 * Bytes up to which a regular expression over all of them takes less time than a search for one text after the other: those
 * begin with a quote, as a rule, and a search stops at each. Beyond, long texts without quotes are what there is most of.
 */
const short = 16 * 1024;

const finders = new WeakMap<readonly string[], Finder>();

interface Finder {
  readonly anyOf: RegExp;
  readonly each: readonly Buffer[];
}

/** Whether bytes have any of a few texts in them. For lists that live long: what finds them is made once for each. */
export function holdsAnyOf(texts: readonly string[], bytes: Buffer): boolean {
  const { anyOf, each } = finders.get(texts) ?? made(texts);
  if (bytes.length <= short) return anyOf.test(bytes.toString("latin1"));
  for (const text of each) if (bytes.includes(text)) return true;
  return false;
}

function made(texts: readonly string[]): Finder {
  const each = texts.map((text) => Buffer.from(text));
  // Byte for byte, whatever is in them; where there are none, a pattern that fits nowhere.
  const patterns = each.map((bytes) => bytes.toString("latin1").replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const finder = { each, anyOf: patterns.length > 0 ? new RegExp(patterns.join("|")) : /(?!)/ };
  finders.set(texts, finder);
  return finder;
}
