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
  readonly edits: Edit[] = [];
  readonly #redactor: Redactor;
  readonly #window: number;
  #done = 0;

  constructor(redactor: Redactor, window: number) {
    this.#redactor = redactor;
    this.#window = window;
  }

  /** How much of the text is decided on. `over`: it will not grow. */
  advance(text: string, over: boolean): number {
    const { context } = this.#redactor;
    // What begins here or later may still turn out to be something.
    const open = over ? text.length : Math.max(this.#done, text.length - this.#window - context + 1);
    if (open <= this.#done && !over) return this.#done;
    const base = Math.max(0, this.#done - context);
    for (const { start, end, kind } of this.#redactor.find(text.slice(base), this.#done - base)) {
      const place = { start: start + base, end: end + base, kind };
      if (place.start < this.#done) continue;
      if (place.start >= open) break;
      const matched = text.slice(place.start, place.end);
      this.edits.push({ ...place, text: this.#redactor.replacement(place, matched) });
      this.#done = place.end;
    }
    this.#done = Math.max(this.#done, open);
    return this.#done;
  }
}
