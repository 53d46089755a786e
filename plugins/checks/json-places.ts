import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "../../core/index.ts";

/** A part of a text; its end is behind its last character. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Follows JSON from its beginning, in pieces that may overlap, and knows which places in it stand outside of its texts:
 * those of numbers, `true` and `null`, and of what is between them. Behind the end of the JSON there are none.
 */
export class JsonPlaces {
  #read = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;
  #over = false;
  /** Where the stretch begins that is being read. */
  #since: number | undefined;
  #stretches: Stretch[] = [];

  /** `text` begins at `begins`; of what ends before `from` nobody will ask again. */
  follow(text: string, begins: number, from: number): void {
    this.#stretches = this.#stretches.filter(({ end }) => end > from);
    for (let at = this.#read - begins; at < text.length && !this.#over; at++)
      this.#step(text.charCodeAt(at), begins + at);
    this.#read = Math.max(this.#read, begins + text.length);
  }

  isOutside(start: number, end: number): boolean {
    if (this.#since !== undefined && this.#since <= start) return true;
    return this.#stretches.some((one) => one.start <= start && end <= one.end);
  }

  #step(code: number, place: number): void {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#leave(place + 1);
    } else if (code === quote) this.#close(place, true);
    else if (code === openBrace || code === openBracket) {
      if (this.#depth++ === 0) this.#since = place;
    } else if ((code === closeBrace || code === closeBracket) && --this.#depth <= 0) {
      this.#close(place + 1, false);
      this.#over = true;
    }
  }

  #leave(place: number): void {
    this.#inText = false;
    this.#since = place;
  }

  #close(place: number, inText: boolean): void {
    if (this.#since !== undefined) this.#stretches.push({ start: this.#since, end: place });
    this.#since = undefined;
    this.#inText = inText;
  }
}
