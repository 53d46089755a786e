import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, standsAt } from "../../core/index.ts";
import { JsonSpans, none } from "./json-spans.ts";

/** Bytes up to which a loop copies faster than a call does. */
const short = 32;
/** Members up to which an object is sorted by insertion. */
const few = 8;
/** Bytes that are kept for the next text. */
const mostKept = 1024 * 1024;

const empty: Buffer = Buffer.alloc(0);

/**
 * Writes JSON objects anew without parsing them: names in order, of several equal ones the last, without space, strings and
 * numbers as JSON.stringify has them. Objects that are equal give equal bytes, others different ones.
 */
export class CanonicalJson {
  readonly #without: readonly Buffer[];
  readonly #spans = new JsonSpans();
  #out = empty;
  #end = 0;

  /** `without` are names at the top that are left out. */
  constructor(without: Iterable<string> = []) {
    this.#without = [...without].map((name) => Buffer.from(JSON.stringify(name)));
  }

  /** A text with an object behind it, good until the next call; undefined where it is none, or has too much in it. */
  write(head: string, json: Buffer): Buffer | undefined {
    const spans = this.#spans;
    const top = spans.read(json);
    try {
      if (top === none || !spans.isObject(top)) return undefined;
      const most = head.length * 3 + spans.most;
      if (this.#out.length < most) this.#out = Buffer.allocUnsafeSlow(Math.max(most, 4096));
      this.#end = this.#out.write(head);
      this.#object(top, this.#without);
      return this.#out.subarray(0, this.#end);
    } finally {
      spans.forget();
      if (this.#out.length > mostKept) this.#out = empty;
    }
  }

  #value(value: number): void {
    const spans = this.#spans;
    if (spans.isObject(value)) this.#object(value, nothing);
    else if (spans.isList(value)) this.#list(value);
    else this.#copy(spans.from(value), spans.to(value));
  }

  #list(value: number): void {
    const spans = this.#spans;
    this.#out[this.#end++] = openBracket;
    for (let member = spans.first(value); member !== none; member = spans.next(member)) {
      this.#value(member);
      this.#out[this.#end++] = comma;
    }
    this.#close(closeBracket);
  }

  #object(value: number, without: readonly Buffer[]): void {
    const spans = this.#spans;
    this.#order(value);
    this.#out[this.#end++] = openBrace;
    for (let member = spans.first(value); member !== none; member = spans.next(member)) {
      if (without.length > 0 && this.#isAmong(without, member)) continue;
      this.#copy(spans.nameFrom(member), spans.nameTo(member));
      this.#out[this.#end++] = colon;
      this.#value(member);
      this.#out[this.#end++] = comma;
    }
    this.#close(closeBrace);
  }

  /** The last comma gives way. */
  #close(bracket: number): void {
    if (this.#out[this.#end - 1] === comma) this.#end--;
    this.#out[this.#end++] = bracket;
  }

  #copy(from: number, to: number): void {
    const source = this.#spans.source(from);
    const out = this.#out;
    let at = from < 0 ? 0 : from;
    if (to - at > short) {
      source.copy(out, this.#end, at, to);
      this.#end += to - at;
    } else {
      let end = this.#end;
      while (at < to) out[end++] = source[at++] as number;
      this.#end = end;
    }
  }

  /** Puts the members of an object in order. */
  #order(owner: number): void {
    const spans = this.#spans;
    let before = spans.first(owner);
    if (before === none) return;
    for (let member = spans.next(before); member !== none; member = spans.next(member)) {
      if (this.#compare(before, member) >= 0) return spans.link(owner, this.#inOrder(owner));
      before = member;
    }
  }

  /** Sorting keeps the order of equal names: the last of them is behind the others, which go. */
  #inOrder(owner: number): number[] {
    const spans = this.#spans;
    const members: number[] = [];
    for (let member = spans.first(owner); member !== none; member = spans.next(member)) members.push(member);
    if (members.length > few) members.sort((one, other) => this.#compare(one, other));
    else this.#sortFew(members);
    let kept = 0;
    for (let at = 0; at < members.length; at++) {
      const [member, after] = [members[at] as number, members[at + 1]];
      if (after === undefined || this.#compare(member, after) !== 0) members[kept++] = member;
    }
    members.length = kept;
    return members;
  }

  /** By insertion, which takes less than a call of `sort` while there are few. */
  #sortFew(members: number[]): void {
    for (let next = 1; next < members.length; next++) {
      const member = members[next] as number;
      let at = next;
      for (; at > 0 && this.#compare(members[at - 1] as number, member) > 0; at--)
        members[at] = members[at - 1] as number;
      members[at] = member;
    }
  }

  /** By the bytes of their names. */
  #compare(one: number, other: number): number {
    const spans = this.#spans;
    const [left, right] = [spans.nameFrom(one), spans.nameFrom(other)];
    const [ofLeft, ofRight] = [spans.source(left), spans.source(right)];
    const [leftTo, rightTo] = [spans.nameTo(one), spans.nameTo(other)];
    let at = Math.max(left, 0);
    let beside = Math.max(right, 0);
    while (at < leftTo && beside < rightTo) {
      const difference = (ofLeft[at++] as number) - (ofRight[beside++] as number);
      if (difference !== 0) return difference;
    }
    return leftTo - at - (rightTo - beside);
  }

  #isAmong(names: readonly Buffer[], member: number): boolean {
    const spans = this.#spans;
    const from = spans.nameFrom(member);
    const source = spans.source(from);
    const at = Math.max(from, 0);
    const length = spans.nameTo(member) - at;
    for (const name of names) if (name.length === length && standsAt(source, at, name)) return true;
    return false;
  }
}

const nothing: readonly Buffer[] = [];
