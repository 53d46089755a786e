/** Frames whose end is remembered for finding out, after the fact, whether and how a stream finished, and what it used. */
export const remembered = 8;

/** The first frames of a stream, the last ones, and a few that hold one of the `marks`, wherever they stand. */
export class SeenFrames {
  readonly #marks: readonly Buffer[];
  readonly #mostBytes: number;
  #first: Buffer | undefined;
  readonly #marked: Buffer[] = [];
  #last: Buffer[] = [];

  /** `mostBytes` is how many bytes the last ones have together at most; one is kept however long it is. */
  constructor(marks: readonly Buffer[], mostBytes = Number.POSITIVE_INFINITY) {
    this.#marks = marks;
    this.#mostBytes = mostBytes;
  }

  get begun(): boolean {
    return this.#first !== undefined;
  }

  /** All that is remembered, in the order it came, marked ones once more; undefined before the first. */
  get bytes(): Buffer | undefined {
    return this.#first && Buffer.concat([this.#first, ...this.#marked, ...this.#latest()]);
  }

  keep(frames: Buffer): void {
    if (!this.#first) {
      this.#first = frames;
      return;
    }
    if (this.#marked.length < remembered && this.#marks.some((mark) => frames.includes(mark)))
      this.#marked.push(frames);
    this.#last.push(frames);
    if (this.#last.length > remembered * 2) this.#last = this.#latest();
  }

  #latest(): Buffer[] {
    const kept: Buffer[] = [];
    let bytes = 0;
    for (const piece of this.#last.slice(-remembered).reverse()) {
      bytes += piece.length;
      if (kept.length > 0 && bytes > this.#mostBytes) break;
      kept.unshift(piece);
    }
    return kept;
  }
}
