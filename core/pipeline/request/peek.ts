import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isJsonScalar,
  openBrace,
  openBracket,
  quote,
  skipSpace,
  space,
  standsAt,
} from "../../json-bytes.ts";
import { keyName } from "./key-names.ts";
import { longFrom, type Range } from "./long-texts.ts";

/** What is read off a JSON body without parsing it: its top-level keys, and where the values of a few of them are. */
export interface Peek {
  /** Put together when first asked for. */
  readonly keys: ReadonlySet<string>;
  /** `[from, to)` of the raw value, for the keys asked for. The last of several equal keys counts, as in JSON.parse. */
  readonly ranges: ReadonlyMap<string, Range>;
  /** Where the values are that are long texts, at any depth, in the order in which they stand. */
  readonly longTexts: readonly Range[];
}

class Peeked implements Peek {
  readonly ranges = new Map<string, Range>();
  readonly longTexts: Range[] = [];
  readonly #bytes: Buffer;
  /** Where the keys begin and end, in turn. */
  readonly #places: number[] = [];
  #keys: Set<string> | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get keys(): ReadonlySet<string> {
    if (this.#keys) return this.#keys;
    this.#keys = new Set();
    for (let at = 0; at < this.#places.length; at += 2)
      this.#keys.add(nameOf(this.#bytes, this.#places[at] ?? 0, this.#places[at + 1] ?? 0));
    return this.#keys;
  }

  addKey(from: number, to: number): void {
    this.#places.push(from, to);
  }
}

/**
 * Walks the bytes of a JSON object once, jumping over strings. Undefined when the bytes are not one object with
 * balanced brackets: then a real parse tells what is wrong. What is inside nested values is not judged.
 */
export function peeker(wanted: readonly string[]): (bytes: Buffer) => Peek | undefined {
  const names = wanted.map((name) => ({ name, bytes: Buffer.from(name) }));

  /** Which of the wanted ones a key is: its bytes are compared, since most keys are none. */
  const wantedAt = (bytes: Buffer, from: number, to: number): string | undefined => {
    for (const { name, bytes: own } of names)
      if (own.length === to - from - 2 && standsAt(bytes, from + 1, own)) return name;
    return undefined;
  };

  return (bytes) => {
    const peeked = new Peeked(bytes);
    let at = skipSpace(bytes, 0);
    if (bytes[at] !== openBrace) return undefined;
    at = skipSpace(bytes, at + 1);
    if (bytes[at] === closeBrace) return skipSpace(bytes, at + 1) === bytes.length ? peeked : undefined;
    for (;;) {
      if (bytes[at] !== quote) return undefined;
      const keyEnd = stringEnd(bytes, at);
      if (keyEnd < 0) return undefined;
      const isEscaped = hasEscapes(bytes, at, keyEnd);
      const key = isEscaped ? textOf(bytes, at, keyEnd) : wantedAt(bytes, at, keyEnd);
      if (isEscaped && key === undefined) return undefined;
      peeked.addKey(at, keyEnd);
      at = skipSpace(bytes, keyEnd);
      if (bytes[at] !== colon) return undefined;
      const from = skipSpace(bytes, at + 1);
      const to = valueEnd(bytes, from, peeked.longTexts);
      if (to <= from) return undefined;
      if (key !== undefined && wanted.includes(key)) peeked.ranges.set(key, [from, to]);
      at = skipSpace(bytes, to);
      if (bytes[at] === closeBrace) return skipSpace(bytes, at + 1) === bytes.length ? peeked : undefined;
      if (bytes[at] !== comma) return undefined;
      at = skipSpace(bytes, at + 1);
    }
  };
}

/** The text of a key whose escapes, if it has any, were found to be good. */
const nameOf = (bytes: Buffer, from: number, to: number): string =>
  hasEscapes(bytes, from, to) ? (textOf(bytes, from, to) ?? "") : keyName(bytes, from + 1, to - 1);

function hasEscapes(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === backslash) return true;
  return false;
}

/** The JSON value in a range of the bytes. */
export function valueAt(bytes: Buffer, [from, to]: Range): unknown {
  const raw = bytes.toString("utf8", from, to);
  return bytes[from] === quote && !raw.includes("\\") ? raw.slice(1, -1) : JSON.parse(raw);
}

/** Most strings are names and single words: they end before a search has begun. */
const near = 24;

/** The offset behind the closing quote of the string that opens at `from`; -1 when it never closes. */
function stringEnd(bytes: Buffer, from: number): number {
  const to = from + near;
  for (let at = from + 1; at < to; at++) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash || byte === undefined) break;
  }
  for (let at = from + 1; ; ) {
    at = bytes.indexOf(quote, at);
    if (at < 0) return -1;
    let before = at - 1;
    while (bytes[before] === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
    at++;
  }
}

function textOf(bytes: Buffer, from: number, to: number): string | undefined {
  const raw = bytes.toString("utf8", from + 1, to - 1);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

/** The offset behind the value that begins at `from`; at most `from` when there is none. Long texts in it are listed. */
function valueEnd(bytes: Buffer, from: number, longTexts: Range[]): number {
  const first = bytes[from];
  if (first === quote) return textEnd(bytes, from, longTexts);
  if (first !== openBrace && first !== openBracket) return scalarEnd(bytes, from);
  const open: number[] = [];
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === quote) {
      at = textEnd(bytes, at, longTexts);
      if (at < 0) return -1;
      continue;
    }
    if (byte === openBrace || byte === openBracket) open.push(byte + 2);
    else if (byte === closeBrace || byte === closeBracket) {
      if (open.pop() !== byte) return -1;
      if (open.length === 0) return at + 1;
    }
    at++;
  }
  return -1;
}

/** As `stringEnd`. A string that is long and no name is listed. */
function textEnd(bytes: Buffer, from: number, longTexts: Range[]): number {
  const to = stringEnd(bytes, from);
  if (to - from >= longFrom && bytes[skipSpace(bytes, to)] !== colon) longTexts.push([from, to]);
  return to;
}

function scalarEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (
    let byte = bytes[at];
    byte !== undefined && byte > space && byte !== comma && byte !== closeBrace;
    byte = bytes[at]
  )
    at++;
  return isJsonScalar(bytes.toString("latin1", from, at)) ? at : -1;
}
