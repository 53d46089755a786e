import type { Redactor } from "../../../core/index.ts";

/** A part of a text with what stands in its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: string;
}

/** Redacts a text that grows: what was found is final once nothing that comes could have changed it. */
export class GrowingRedaction {
  /** Those that were not let go of yet, in the order of their places. */
  edits: Edit[] = [];
  readonly #redactor: Redactor;
  readonly #window: number;
  readonly #look: ((around: string) => boolean) | undefined;
  /** The end of the text that may still count, and where it begins. */
  #text = "";
  #base = 0;
  #done = 0;

  /** `look` is shown every finding with its context; what it says no to is denied. */
  constructor(redactor: Redactor, window: number, look?: (around: string) => boolean) {
    this.#redactor = redactor;
    this.#window = window;
    this.#look = look;
  }

  /** How much of the text is decided on; -1 when it is denied. `over`: it will not grow. */
  grow(more: string, over: boolean): number {
    const { context } = this.#redactor;
    const text = this.#text + more;
    const length = this.#base + text.length;
    // What begins here or later may still turn out to be something.
    const open = over ? length : Math.max(this.#done, length - this.#window - context + 1);
    if (open > this.#done) {
      for (const finding of this.#redactor.find(text, this.#done - this.#base, this.#base)) {
        const { start, end } = finding;
        const place = { ...finding, start: start + this.#base, end: end + this.#base };
        if (place.start < this.#done || place.end === place.start) continue;
        if (place.start >= open) break;
        const around = text.slice(Math.max(0, start - context), end + context);
        if (this.#look && !this.#look(around)) return -1;
        this.edits.push({ ...place, text: this.#redactor.replacement(place, text.slice(start, end)) });
        this.#done = place.end;
      }
      this.#done = Math.max(this.#done, open);
    }
    const kept = Math.max(this.#base, this.#done - context);
    this.#text = text.slice(kept - this.#base);
    this.#base = kept;
    return this.#done;
  }

  /** Nobody will ask for what ends before this any more. */
  forget(upTo: number): void {
    if (this.edits.some(({ end }) => end <= upTo)) this.edits = this.edits.filter(({ end }) => end > upTo);
  }
}
