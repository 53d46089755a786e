import type { Finding, Redactor } from "../../core/index.ts";
import { JsonPlaces } from "./json-places.ts";

/** How many characters `\u00e9` has, the longest way to write one. */
const longest = 6;

/** What begins as JSON with something in it: the arguments of a tool, or an answer that was to be JSON. */
const beginsAsJson = /^\s*(?:\{\s*["}]|\[\s*(?:["[{\]]|-?\d+\s*(?:,|\]\s*$)))/;

const escapes = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g;

const meant: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** What numbers, `true` and the like are written with: next to it they go on. */
const ofValue = /[\w.+-]/;

/**
 * The same redactor for texts that may be JSON. There `\n` is the end of a line, and no letter of the word behind it; what
 * is found leaves such signs whole, and what stands in its place is written as JSON has it.
 */
export function inJson(redactor: Redactor): Redactor {
  let isJson = false;
  let places = new JsonPlaces();
  return {
    window: redactor.window,
    context: redactor.context + longest,
    find(text, from = 0, begins = 0) {
      // A text is seen from its beginning first.
      if (from === 0 && begins === 0) {
        isJson = beginsAsJson.test(text);
        places = new JsonPlaces();
      }
      if (!isJson) return redactor.find(text, from, begins);
      places.follow(text, begins, begins + from);
      const isOutside = ({ start, end }: Span) => places.isOutside(begins + start, begins + end);
      return foundInJson(redactor, text, from).map((finding) =>
        isWhole(text, finding) && isOutside(finding) ? { ...finding, bare: true } : finding,
      );
    },
    replacement(finding, matched) {
      const text = redactor.replacement(finding, matched);
      // Who takes quotes out says what stands there instead of them.
      if (!isJson || matched.includes('"')) return text;
      return finding.bare ? JSON.stringify(text) : JSON.stringify(text).slice(1, -1);
    },
  };
}

/** What texts that are JSON say, without the escapes it is written with; undefined where none of them is. */
export function asRead(texts: readonly string[]): string | undefined {
  if (!texts.some((text) => text.includes("\\") && beginsAsJson.test(text))) return undefined;
  const read = texts.map((text) => (beginsAsJson.test(text) ? text.replace(escapes, characterOf) : text));
  return read.filter((text) => text !== "").join("\n");
}

const characterOf = (_: string, code: string | undefined, sign: string): string =>
  code === undefined ? (meant[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16));

interface Span {
  readonly start: number;
  readonly end: number;
}

function foundInJson(redactor: Redactor, text: string, from: number): readonly Finding[] {
  const spans: Span[] = [];
  // As long as the text is: places in the one are places in the other.
  const read = text.replace(escapes, (written: string, code: string | undefined, sign: string, start: number) => {
    spans.push({ start, end: start + written.length });
    return characterOf(written, code, sign).padStart(written.length);
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
    return [{ ...finding, start, end }];
  });
}

const isWhole = (text: string, { start, end }: Span): boolean =>
  !ofValue.test(text.charAt(start - 1)) && !ofValue.test(text.charAt(end));
