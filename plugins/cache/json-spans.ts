import { isUtf8 } from "node:buffer";
import {
  backslash,
  carriageReturn,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isJsonScalar,
  lineFeed,
  openBrace,
  openBracket,
  quote,
  space,
  tab,
} from "../../core/index.ts";

/** No value. */
export const none = -1;

/** Levels below which nothing is read, and values beyond which nothing is. */
const deepest = 200;
const mostValues = 200_000;
/** Numbers of the table that are kept for the next text. */
const mostKept = 65_536;
/** Bytes of a string that are looked at one by one before its end is searched for. */
const near = 48;

const zero = 0x30;
const nine = 0x39;

/** So many digits are still the same when they were read as a number and are written again. */
const exact = /^-?(?:\d\.?){1,15}(?:[eE]|$)/;
/** Escapes that JSON.stringify writes, too: others may stand for what needs none. */
const plainEscapes = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number('bfnrt"\\'.includes(String.fromCharCode(byte))),
);

const unreadable = new Error("not JSON, or too much of it");
const empty: Buffer = Buffer.alloc(0);

/** What a value takes in the table: where it and its name begin and end, its first member, and the member behind it. */
const width = 6;
const ofName = 2;
const ofFirst = 4;
const ofNext = 5;

/**
 * Where the values of a JSON text stand, without anything being made of them. A place below zero is that of a piece
 * instead: of a string or a number that JSON.stringify would write in another way, as it would.
 */
export class JsonSpans {
  #table = new Int32Array(width * 256);
  #end = 0;
  #bytes = empty;
  #at = 0;
  /** The first quote, and the first backslash, behind where they were looked for last. */
  #quote = none;
  #slash = none;
  #pieces: Buffer[] = [];
  #growth = 0;

  /** Reads a text, and gives the value that is all of it; none where there is no such value, or too much in it. */
  read(bytes: Buffer): number {
    this.#bytes = bytes;
    this.#at = this.#end = this.#growth = 0;
    this.#quote = this.#slash = none;
    try {
      const top = this.#added();
      this.#value(top, deepest);
      return this.#at === bytes.length ? top : none;
    } catch (error) {
      if (error !== unreadable) throw error;
      return none;
    }
  }

  /** Lets go of what was read. */
  forget(): void {
    this.#bytes = empty;
    if (this.#pieces.length > 0) this.#pieces = [];
    if (this.#table.length > mostKept) this.#table = new Int32Array(width * 256);
  }

  /** Bytes that all of it takes at most when it is written without space. */
  get most(): number {
    return this.#bytes.length + this.#growth;
  }

  isObject(value: number): boolean {
    return this.#bytes[this.from(value)] === openBrace;
  }

  isList(value: number): boolean {
    return this.#bytes[this.from(value)] === openBracket;
  }

  from(value: number): number {
    return this.#table[value] as number;
  }

  to(value: number): number {
    return this.#table[value + 1] as number;
  }

  nameFrom(value: number): number {
    return this.#table[value + ofName] as number;
  }

  nameTo(value: number): number {
    return this.#table[value + ofName + 1] as number;
  }

  first(value: number): number {
    return this.#table[value + ofFirst] as number;
  }

  next(value: number): number {
    return this.#table[value + ofNext] as number;
  }

  /** Says in which order the members of a value stand; those that are not named are gone. */
  link(owner: number, members: readonly number[]): void {
    let link = owner + ofFirst;
    for (const member of members) {
      this.#table[link] = member;
      link = member + ofNext;
    }
    this.#table[link] = none;
  }

  /** The bytes that a place is in. */
  source(from: number): Buffer {
    return from < 0 ? (this.#pieces[-1 - from] as Buffer) : this.#bytes;
  }

  #added(): number {
    const value = this.#end;
    this.#end += width;
    if (this.#end > mostValues * width) throw unreadable;
    if (this.#end > this.#table.length) {
      const table = new Int32Array(this.#table.length * 2);
      table.set(this.#table);
      this.#table = table;
    }
    this.#table[value + ofFirst] = none;
    this.#table[value + ofNext] = none;
    return value;
  }

  /** Reads a value, with the space around it. */
  #value(value: number, levels: number): void {
    this.#skipSpace();
    const from = this.#at;
    const byte = this.#bytes[from];
    if (byte === quote) this.#string(value);
    else if (byte !== openBrace && byte !== openBracket) this.#scalar(value);
    else {
      if (levels === 0) throw unreadable;
      this.#members(value, byte === openBrace, levels - 1);
      this.#found(value, from, this.#at);
    }
    this.#skipSpace();
  }

  #members(owner: number, named: boolean, levels: number): void {
    const bytes = this.#bytes;
    const close = named ? closeBrace : closeBracket;
    this.#at++;
    this.#skipSpace();
    if (bytes[this.#at] === close) this.#at++;
    else
      for (let link = owner + ofFirst; ; ) {
        const member = this.#added();
        this.#table[link] = member;
        link = member + ofNext;
        if (named) this.#name(member);
        this.#value(member, levels);
        const byte = bytes[this.#at++];
        if (byte === close) return;
        if (byte !== comma) throw unreadable;
      }
  }

  #name(member: number): void {
    this.#skipSpace();
    if (this.#bytes[this.#at] !== quote) throw unreadable;
    this.#string(member + ofName);
    this.#skipSpace();
    if (this.#bytes[this.#at++] !== colon) throw unreadable;
  }

  #string(slot: number): void {
    const bytes = this.#bytes;
    const from = this.#at;
    let asWritten = true;
    let at = from + 1;
    for (let close = at + near; ; at++) {
      const byte = bytes[at];
      if (byte === quote) break;
      if (byte === backslash) {
        at++;
        asWritten &&= plainEscapes[bytes[at] ?? 0] === 1;
        close = at + near;
      } else if (byte === undefined) throw unreadable;
      else if (at > close) {
        at = this.#special(at) - 1;
        close = at + near;
      }
    }
    this.#at = at + 1;
    if (asWritten) this.#found(slot, from, this.#at);
    else this.#rewrite(slot, from);
  }

  /** The first quote or backslash from a place on. No byte is looked at twice for it, however many of them there are. */
  #special(from: number): number {
    if (this.#quote < from) this.#quote = placeOf(quote, this.#bytes, from);
    if (this.#slash < from) this.#slash = placeOf(backslash, this.#bytes, from);
    return Math.min(this.#quote, this.#slash);
  }

  #scalar(slot: number): void {
    const bytes = this.#bytes;
    const from = this.#at;
    let digits = true;
    for (let byte = bytes[this.#at]; isInside(byte); byte = bytes[++this.#at])
      if (byte < zero || byte > nine) digits = false;
    const length = this.#at - from;
    if (digits && length > 0 && (length === 1 || bytes[from] !== zero)) return this.#found(slot, from, this.#at);
    const text = bytes.toString("latin1", from, this.#at);
    if (!isJsonScalar(text)) throw unreadable;
    if (exact.test(text) && Number.isFinite(Number(text))) this.#rewrite(slot, from);
    else this.#found(slot, from, this.#at);
  }

  /** What stands between a place and here is written as JSON.stringify has it. */
  #rewrite(slot: number, from: number): void {
    const raw = this.#bytes.subarray(from, this.#at);
    if (!isUtf8(raw)) throw unreadable;
    const piece = Buffer.from(rewritten(raw.toString()));
    this.#growth += Math.max(0, piece.length - raw.length);
    this.#pieces.push(piece);
    this.#found(slot, -this.#pieces.length, piece.length);
  }

  #found(slot: number, from: number, to: number): void {
    this.#table[slot] = from;
    this.#table[slot + 1] = to;
  }

  #skipSpace(): void {
    const bytes = this.#bytes;
    for (let byte = bytes[this.#at]; byte === space || byte === lineFeed || byte === carriageReturn || byte === tab; )
      byte = bytes[++this.#at];
  }
}

/** Whether a byte goes on with a number or a word. */
const isInside = (byte: number | undefined): byte is number =>
  byte !== undefined && byte > space && byte !== comma && byte !== closeBrace && byte !== closeBracket;

/** Where a byte stands from a place on; behind everything where it does not. */
function placeOf(byte: number, bytes: Buffer, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

function rewritten(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    throw unreadable;
  }
}
