import type { Judge } from "./judge.ts";
import type { Edit, GrowingRedaction } from "./redaction.ts";

/** A text of a stream that grows, and how much of it may go on. */
export class Lane {
  #text = "";
  #free = 0;
  #over = false;
  readonly #judges: readonly Judge[];
  readonly #redactions: readonly GrowingRedaction[];

  constructor(judges: readonly Judge[], redactions: readonly GrowingRedaction[]) {
    this.#judges = judges;
    this.#redactions = redactions;
  }

  /** How long it is, held or not. */
  get length(): number {
    return this.#text.length;
  }

  /** Up to where it may go on. */
  get free(): number {
    return this.#free;
  }

  /** False when it was denied. */
  grow(more: string): boolean {
    this.#text += more;
    return this.#advance(false);
  }

  /** It will not grow any more. False when it was denied. */
  end(): boolean {
    if (this.#over) return true;
    this.#over = true;
    return this.#advance(true);
  }

  /** What a part of it has become. */
  part(start: number, end: number): { readonly text: string; readonly changed: boolean } {
    let out = "";
    let at = start;
    let changed = false;
    for (const edit of this.#edits()) {
      if (edit.end <= start || edit.start >= end) continue;
      changed = true;
      out += this.#text.slice(at, Math.max(at, edit.start));
      // What stands in its place goes where it began.
      if (edit.start >= start) out += edit.text;
      at = Math.max(at, Math.min(end, edit.end));
    }
    return { text: out + this.#text.slice(at, end), changed };
  }

  #advance(over: boolean): boolean {
    let free = this.#text.length;
    for (const judge of this.#judges) {
      const judged = judge.judge(this.#text, over);
      if (judged < 0) return false;
      free = Math.min(free, judged);
    }
    for (const redaction of this.#redactions) free = Math.min(free, redaction.advance(this.#text, over));
    for (const { start, end } of this.#edits()) if (start < free && free < end) free = start;
    this.#free = Math.max(this.#free, free);
    return true;
  }

  /** In the order of their places; of several that overlap, each stands where it begins. */
  #edits(): readonly Edit[] {
    const [only, ...others] = this.#redactions;
    if (!only) return [];
    if (others.length === 0) return only.edits;
    return this.#redactions.flatMap(({ edits }) => edits).sort((one, other) => one.start - other.start);
  }
}
