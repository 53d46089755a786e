/** Where the text of one part stands in all text of a streamed answer, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where the parts of a streamed answer begin in all of its text; each goes as far as the next one. */
export class PartSpans {
  /** Which of the places a part begins at. */
  readonly #parts = new Map<number, number>();
  /** Ascending. */
  readonly #places: number[] = [];

  /** Text of a part comes, behind so much text: it begins there, where it has not begun. */
  begin(part: number, at: number): void {
    if (this.#parts.has(part)) return;
    if (this.#places.at(-1) !== at) this.#places.push(at);
    this.#parts.set(part, this.#places.length - 1);
  }

  /** `length` is how much text there is. */
  spanOf(part: number, length: number): Span {
    const place = this.#parts.get(part) ?? this.#places.length;
    return { start: this.#places[place] ?? length, end: this.#places[place + 1] ?? length };
  }
}
