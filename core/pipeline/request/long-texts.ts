import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { asReadIn, readJson, writeJson } from "../../codec-kit/exact-json.ts";

/** Long texts of a body by what they say, each with the JSON it was written as, quotes included. */
export type LongTexts = ReadonlyMap<string, Buffer>;

/** Where a value stands in bytes: from the first byte to the one behind the last. */
export type Range = readonly [from: number, to: number];

/** Bytes of JSON from which on a text is long. Parsing and writing a shorter one as any other takes less than keeping it. */
export const longFrom = 16_384;

/** Characters that a long text has at least: six bytes may be one of them. */
const shortest = Math.floor(longFrom / 6) - 1;

/** Levels below which no text is looked for. */
const deepest = 32;

/** Stands for a text while what surrounds it is parsed or written. Nobody can have written it: it is new in every process. */
const mark = `long-text-${randomUUID()}-`;

/**
 * Parses a JSON body and remembers how its long texts, which stand at these places, are written. Undefined where that cannot
 * be told, or where it is no JSON.
 */
export function parseAround(bytes: Buffer, places: readonly Range[]): { value: unknown; texts: LongTexts } | undefined {
  // Of bytes that are no text, only what they are read as may be sent on.
  if (!isUtf8(bytes)) return undefined;
  const texts = new Map<string, Buffer>();
  const found: string[] = [];
  let around = "";
  let at = 0;
  try {
    for (const [from, to] of places) {
      const text = JSON.parse(bytes.toString("utf8", from, to)) as string;
      around += `${bytes.toString("utf8", at, from)}"${mark}${found.length}"`;
      at = to;
      found.push(text);
      texts.set(text, bytes.subarray(from, to));
    }
    const value = readJson(around + bytes.toString("utf8", at));
    return placed(value, found, deepest) === found.length ? { value, texts } : undefined;
  } catch {
    return undefined;
  }
}

/** Puts texts where their marks are, and says how many. */
function placed(value: unknown, found: readonly string[], levels: number): number {
  if (typeof value !== "object" || value === null || levels === 0) return 0;
  const members = value as Record<string, unknown>;
  let count = 0;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member !== "string") count += placed(member, found, levels - 1);
    else if (member.startsWith(mark) && name !== "__proto__") {
      members[name] = found[Number(member.slice(mark.length))];
      count++;
    }
  }
  return count;
}

/** JSON, in which texts that are known stand as they were written by whoever sent them. */
export function jsonBytes(value: unknown, texts: LongTexts | undefined): Buffer {
  if (!texts) return Buffer.from(writeJson(value));
  const known: Buffer[] = [];
  const json = writeJson(marked(value, texts, known, deepest));
  const pieces: Buffer[] = [];
  let at = 0;
  for (const [index, raw] of known.entries()) {
    const own = `"${mark}${index}"`;
    const place = json.indexOf(own, at);
    if (place < 0) return Buffer.from(writeJson(value));
    pieces.push(Buffer.from(json.slice(at, place)), raw);
    at = place + own.length;
  }
  if (at === 0) return Buffer.from(json);
  pieces.push(Buffer.from(json.slice(at)));
  return Buffer.concat(pieces);
}

/** The same value with marks for texts that are known, in the order in which they will be written. */
function marked(value: unknown, texts: LongTexts, known: Buffer[], levels: number): unknown {
  if (typeof value === "string") {
    const raw = value.length < shortest ? undefined : texts.get(value);
    return raw ? `${mark}${known.push(raw) - 1}` : value;
  }
  if (typeof value !== "object" || value === null || levels === 0) return value;
  const members = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(members)) {
    const member = marked(members[name], texts, known, levels - 1);
    if (member === members[name]) continue;
    copy ??= asReadIn(value, Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = member;
  }
  return copy ?? value;
}
