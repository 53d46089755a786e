import type { Finding, Redactor } from "../../core/index.ts";

/** How many characters `\u00e9` has, the longest way to write one. */
const longest = 6;

/** What begins as JSON with something in it: the arguments of a tool, or an answer that was to be JSON. */
const beginsAsJson = /^\s*(?:\{\s*["}]|\[\s*["[{\]])/;

const escapes = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g;

const meant: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** A number, or the like, is the value of a key: before it and behind it. An opening quote is told by what is no escape. */
const valueBegins = /(?<!\\)"\s{0,2}:\s{0,2}$/;
const valueEnds = /^\s{0,4}[,}]/;

/** How far one has to look for that. */
const around = 6;

/**
 * The same redactor for texts that may be JSON. There `\n` is the end of a line, and no letter of the word behind it; what
 * is found leaves such signs whole, and what stands in its place is written as JSON has it.
 */
export function inJson(redactor: Redactor): Redactor {
  let isJson = false;
  return {
    window: redactor.window,
    context: redactor.context + Math.max(longest, around),
    find(text, from = 0) {
      // A text is seen from its beginning first.
      if (from === 0) isJson = beginsAsJson.test(text);
      return isJson ? foundInJson(redactor, text, from) : redactor.find(text, from);
    },
    replacement(finding, matched) {
      const text = redactor.replacement(finding, matched);
      // Who takes quotes out says what stands there instead of them.
      if (!isJson || matched.includes('"')) return text;
      return finding.bare ? JSON.stringify(text) : JSON.stringify(text).slice(1, -1);
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function foundInJson(redactor: Redactor, text: string, from: number): readonly Finding[] {
  const spans: Span[] = [];
  // As long as the text is: places in the one are places in the other.
  const read = text.replace(escapes, (written: string, code: string | undefined, sign: string, start: number) => {
    spans.push({ start, end: start + written.length });
    const character = code === undefined ? (meant[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16));
    return character.padStart(written.length);
  });
  // Both are in order.
  let next = 0;
  const within = (place: number): Span | undefined => {
    while ((spans[next]?.end ?? place) < place) next++;
    const span = spans[next];
    return span && span.start < place && place < span.end ? span : undefined;
  };
  return redactor.find(read, from).flatMap((finding) => {
    const start = within(finding.start)?.end ?? finding.start;
    const end = within(finding.end)?.start ?? finding.end;
    if (start >= end) return [];
    const bare =
      valueBegins.test(text.slice(Math.max(0, start - around), start)) && valueEnds.test(text.slice(end, end + around));
    return [{ ...finding, start, end, ...(bare && { bare }) }];
  });
}
