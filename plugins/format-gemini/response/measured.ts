/** How far apart the places are from which others are counted, in UTF-16 units. */
const stride = 1024;

interface Mark {
  /** UTF-16 units before it. */
  readonly units: number;
  /** Bytes of UTF-8 before it. */
  readonly bytes: number;
}

/**
 * A text in which places are counted in UTF-16 units by some and in bytes of UTF-8 by others. It is gone through once, however many
 * places are asked for.
 */
export class Measured {
  readonly text: string;
  #marks: readonly Mark[] | undefined;
  #encoded: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The whole text as UTF-8. */
  get encoded(): Buffer {
    this.#encoded ??= Buffer.from(this.text);
    return this.#encoded;
  }

  /** How many bytes the first `units` units take. */
  bytesAt(units: number): number {
    const { units: from, bytes } = this.#lastMark((mark) => mark.units <= units);
    return bytes + Buffer.byteLength(this.text.slice(from, units));
  }

  /** How many units the first `bytes` bytes are; the beginning of a character that is cut counts as one. */
  unitsAt(bytes: number): number {
    const { units, bytes: from } = this.#lastMark((mark) => mark.bytes <= bytes);
    return units + this.encoded.toString("utf8", from, bytes).length;
  }

  #lastMark(isBefore: (mark: Mark) => boolean): Mark {
    this.#marks ??= marksOf(this.text);
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (isBefore(this.#marks[middle] ?? start)) low = middle;
      else high = middle - 1;
    }
    return this.#marks[low] ?? start;
  }
}

const start: Mark = { units: 0, bytes: 0 };

function marksOf(text: string): Mark[] {
  const marks = [start];
  let { units, bytes } = start;
  while (units + stride < text.length) {
    const to = units + stride + (isInsidePair(text, units + stride) ? 1 : 0);
    bytes += Buffer.byteLength(text.slice(units, to));
    units = to;
    marks.push({ units, bytes });
  }
  return marks;
}

/** Whether a character of two units stands on both sides of a place. */
const isInsidePair = (text: string, at: number): boolean =>
  (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
