import { endOfText } from "./end-of-text.ts";
import { together } from "./together.ts";

/**
 * JSON whose whole numbers come out as they went in. A double holds each of them up to 2^53 only: an identifier such as
 * 1234567890123456789 in the input of a tool would leave as 1234567890123456800, which is another one.
 */

/** Where such numbers stand: of an object or a list, the text of each by its name or place. */
const written = new WeakMap<object, Map<string, string>>();

/**
 * Of all that one text said: each double beyond those that hold every whole number, by what was written for it; undefined where that
 * was several things, or no digits alone (`1e20`). Where an object was made anew, a number in it is the one of these that it is as a
 * double.
 */
const inAll = new WeakMap<object, ReadonlyMap<number, string | undefined>>();

/** Whether there was one in this process yet: as long as there was none, nothing is looked for in what is written. */
let met = false;

/** Numbers of several texts, as `inAll` has those of one. */
export type LongNumbers = Map<number, string | undefined>;

/** Those of the texts that were read one after the other, while somebody writes what is made of them. */
let among: LongNumbers | undefined;

/**
 * Does something with texts that belong together, as the frames of a stream: what is written in it has the long numbers of all that was
 * read in it, be it made anew from member to member.
 */
export function amongNumbers<Result>(numbers: LongNumbers, work: () => Result): Result {
  const before = among;
  among = numbers;
  try {
    return work();
  } finally {
    among = before;
  }
}

/** Numbers that are remembered of one text. Nobody who asks or answers has so many; whoever sends more gets doubles for the rest. */
const most = 10_000;

/** Digits from which on a number may be one that no double holds. */
const long = 16;

const wholeNumber = /[[:,\s]-?\d{16,}\s*[,}\]]/;
/** How doubles look that may have been such a number. */
const maybeRounded = /\d{16}|\de\+/;

/** What JSON text says, as `JSON.parse`, which throws the same errors. `writeJson` knows its long whole numbers. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (hasManyDigits(text) && wholeNumber.test(text)) remember(text, value);
  return value;
}

/**
 * A value as JSON text, as `JSON.stringify` of it, but for long whole numbers in objects and lists that were read, or in what was made of
 * such: they are as they were. `indent` is how many spaces stand before what is inside.
 */
export function writeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return met && maybeRounded.test(text) ? exactly(value, text, indent) : text;
}

/** A member as JSON text: a number that was read as it was written. */
export const memberText = (holder: object, name: PropertyKey): string =>
  String(longNumberIn(holder, name) ?? JSON.stringify((holder as Record<PropertyKey, unknown>)[name]));

/** A number that was read and that no double holds, by the object or the list it stands in. */
export function longNumberIn(holder: object, name: PropertyKey): bigint | undefined {
  const number = met ? written.get(holder)?.get(String(name)) : undefined;
  return number !== undefined && (holder as Record<PropertyKey, unknown>)[name] === doubleOf(number)
    ? BigInt(number)
    : undefined;
}

/** An object or a list that is made of another one: what is the same number in both is written the same. */
export function asReadIn<Value extends object>(from: object, made: Value): Value {
  if (!met) return made;
  const numbers = written.get(from);
  if (numbers) written.set(made, new Map([...numbers, ...(written.get(made) ?? [])]));
  const all = inAll.get(from);
  if (all && !inAll.has(made)) inAll.set(made, all);
  return made;
}

/** What was made of something that was read (`asReadIn`) as it would be read once it is written; itself where no number in it is long. */
export const asWritten = (made: object): unknown => (inAll.has(made) ? readJson(writeJson(made)) : made);

/** An object with other members besides, or instead. */
export const withMembers = <Own extends object, More extends object>(own: Own, more: More): Own & More =>
  asReadIn(own, together(own, more));

/** Whether so many digits stand in a row somewhere: one of every sixteen characters tells, which takes a tenth of what a search does. */
function hasManyDigits(text: string): boolean {
  for (let at = long - 1; at < text.length; at += long) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let from = at;
    while (from > 0 && isDigit(text.charCodeAt(from - 1))) from--;
    while (at < text.length && isDigit(text.charCodeAt(at))) at++;
    if (at - from >= long) return true;
  }
  return false;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Stands around a number while the rest is written. Nobody can have written it: it is new in every process. */
const mark = `number-${crypto.randomUUID()}-`;
const marked = new RegExp(`"${mark}(-?\\d+)"`, "g");

function exactly(value: unknown, plain: string, indent: number | undefined): string {
  let found = false;
  const all = typeof value === "object" && value !== null ? inAll.get(value) : undefined;
  const exact = function (this: unknown, name: string, member: unknown) {
    if (typeof member !== "number") return member;
    const own = written.get(this as object)?.get(name);
    const known = own !== undefined && doubleOf(own) === member ? own : (all?.get(member) ?? among?.get(member));
    if (known === undefined) return member;
    found = true;
    return mark + known;
  };
  const text = JSON.stringify(value, exact, indent);
  return found ? text.replace(marked, "$1") : plain;
}

/** Goes through text and value side by side. */
function remember(text: string, value: unknown): void {
  const around: Place[] = [];
  let place = new Place({ "": value }, "", false);
  const all = new Map<number, string | undefined>();
  let count = 0;
  for (let at = 0; at < text.length && count < most; ) {
    const sign = text[at] as string;
    if (sign === '"') {
      const end = endOfText(text, at);
      if (place.namesNext) place.name = JSON.parse(text.slice(at, end)) as string;
      at = end;
      continue;
    }
    if (sign === "-" || (sign >= "0" && sign <= "9")) {
      const end = numberEnd(text, at);
      const number = text.slice(at, end);
      const double = doubleOf(number);
      if (Math.abs(double) > Number.MAX_SAFE_INTEGER) {
        const isKnown = isWhole.test(number) && (!all.has(double) || all.get(double) === number);
        all.set(double, isKnown ? number : undefined);
      }
      if (place.keeps(number)) count++;
      at = end;
      continue;
    }
    if (sign === "{" || sign === "[") {
      around.push(place);
      place = new Place(place.member, sign === "[" ? 0 : "", sign === "{");
    } else if (sign === "}" || sign === "]") place = around.pop() ?? place;
    else if (sign === ",") place.next();
    else if (sign === ":") place.namesNext = false;
    at++;
  }
  if (count > 0 && count < most && typeof value === "object" && value !== null) inAll.set(value, all);
  if (count > 0 && among) join(among, all);
}

/** A double that was written in two ways is none of both. */
function join(numbers: LongNumbers, more: ReadonlyMap<number, string | undefined>): void {
  for (const [double, number] of more) {
    if (!numbers.has(double) && numbers.size >= most) return;
    numbers.set(double, !numbers.has(double) || numbers.get(double) === number ? number : undefined);
  }
}

/** Where in a value a reader of its text is. */
class Place {
  readonly #holder: unknown;
  name: string | number;
  /** Whether a text that comes next is the name of a member. */
  namesNext: boolean;

  constructor(holder: unknown, name: string | number, namesNext: boolean) {
    this.#holder = holder;
    this.name = name;
    this.namesNext = namesNext;
  }
  /** What stands there; of a name that is given twice, what the last one says. */
  get member(): unknown {
    const holder = this.#holder;
    return typeof holder === "object" && holder !== null ? (holder as Record<string, unknown>)[this.name] : undefined;
  }
  next(): void {
    if (typeof this.name === "number") this.name++;
    else this.namesNext = true;
  }
  /** Remembers a number that a double does not hold; says whether it is one. Any other that stands there now takes its place. */
  keeps(number: string): boolean {
    const double = Number(number);
    const { member } = this;
    if (member !== double && member !== doubleOf(number)) return false;
    const holder = this.#holder as object;
    const known = written.get(holder);
    if (number.length < long || !isWhole.test(number) || String(double) === number) {
      known?.delete(String(this.name));
      return false;
    }
    written.set(holder, (known ?? new Map<string, string>()).set(String(this.name), number));
    met = true;
    // What is larger than all doubles is written as `null` otherwise, and would not be seen.
    if (!Number.isFinite(double)) (holder as Record<PropertyKey, unknown>)[this.name] = doubleOf(number);
    return true;
  }
}

const isWhole = /^-?\d+$/;

/** The double nearest to a number. */
const doubleOf = (number: string): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(number)));

const numberSigns = /[\d.eE+-]+/y;

function numberEnd(text: string, from: number): number {
  numberSigns.lastIndex = from;
  numberSigns.test(text);
  return numberSigns.lastIndex;
}
