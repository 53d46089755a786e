import { lineFeed } from "../../core/index.ts";

/** A line of a file, and where it lies in it. */
export interface InputLine {
  /** The first is 1; empty ones count. */
  readonly number: number;
  readonly text: string;
  readonly from: number;
  /** Where the next one begins. */
  readonly to: number;
}

/** What editors of some systems begin a file with. It is no part of its first line. */
const byteOrderMark = "\ufeff";

/** A line longer than this is none that could be sent. */
const longestLine = 64 * 1024 * 1024;

export class LineTooLong extends RangeError {
  override readonly name = "LineTooLong";
  /** Of the line. */
  readonly number: number;

  constructor(number: number) {
    super(`A line has at most ${longestLine} bytes.`);
    this.number = number;
  }
}

/** The lines of bytes that begin at `from`, which is where the line after `before` others begins. Empty ones are left out. */
export async function* inputLines(bytes: AsyncIterable<Buffer>, from = 0, before = 0): AsyncGenerator<InputLine> {
  let number = before;
  let begin = from;
  let held: Buffer[] = [];
  let length = 0;
  const line = (end: number): InputLine => {
    const whole = Buffer.concat(held).toString();
    const text = begin === 0 && whole.startsWith(byteOrderMark) ? whole.slice(1) : whole;
    const made = { number: ++number, text, from: begin, to: end };
    begin = end;
    held = [];
    length = 0;
    return made;
  };
  let at = from;
  for await (const piece of bytes) {
    let start = 0;
    for (let stop = piece.indexOf(lineFeed); stop >= 0; stop = piece.indexOf(lineFeed, start)) {
      held.push(piece.subarray(start, stop));
      const made = line(at + stop + 1);
      if (made.text.trim() !== "") yield made;
      start = stop + 1;
    }
    const rest = piece.subarray(start);
    length += rest.length;
    if (length > longestLine) throw new LineTooLong(number + 1);
    if (rest.length > 0) held.push(rest);
    at += piece.length;
  }
  if (held.length === 0) return;
  const last = line(at);
  if (last.text.trim() !== "") yield last;
}
