import type { Judge } from "./judge.ts";
import type { Edit, GrowingRedaction } from "./redaction.ts";

/** A text of a stream that grows, and how much of it may go on. The text itself is with the chunks that wait. */
export class Lane {
  #length = 0;
  #free = 0;
  #changed = false;
  readonly #deciding: readonly (Judge | GrowingRedaction)[];
  readonly #redactions: readonly GrowingRedaction[];

  constructor(judges: readonly Judge[], redactions: readonly GrowingRedaction[]) {
    this.#deciding = [...judges, ...redactions];
    this.#redactions = redactions;
  }

  /** How long it is, held or not. */
  get length(): number {
    return this.#length;
  }

  /** Up to where it may go on. */
  get free(): number {
    return this.#free;
  }

  /** Whether something of it that was let go of is no longer what it was. */
  get changed(): boolean {
    return this.#changed;
  }

  /** False when it was denied. `over`: nothing more comes, as far as is known. */
  grow(more: string, over = false): boolean {
    this.#length += more.length;
    let free = this.#length;
    for (const decides of this.#deciding) {
      const decided = decides.grow(more, over);
      if (decided < 0) return false;
      free = Math.min(free, decided);
    }
    for (const { start, end } of this.#edits()) if (start < free && free < end) free = start;
    this.#free = Math.max(this.#free, free);
    return true;
  }

  /** It will not grow any more. False when it was denied. */
  end(): boolean {
    return this.grow("", true);
  }

  /** What a piece of it has become. Pieces are asked for once, in their order. */
  piece(start: number, text: string): { readonly text: string; readonly changed: boolean } {
    const end = start + text.length;
    let out = "";
    let at = start;
    let changed = false;
    for (const edit of this.#edits()) {
      if (edit.end <= start || edit.start >= end) continue;
      changed = true;
      out += text.slice(at - start, Math.max(at, edit.start) - start);
      // What stands in its place goes where it began.
      if (edit.start >= start) out += edit.text;
      at = Math.max(at, Math.min(end, edit.end));
    }
    this.#changed ||= changed;
    for (const redaction of this.#redactions) redaction.forget(end);
    return { text: out + text.slice(at - start), changed };
  }

  /** In the order of their places; of several that overlap, each stands where it begins. */
  #edits(): readonly Edit[] {
    const [only, ...others] = this.#redactions;
    if (!only) return [];
    if (others.length === 0) return only.edits;
    return this.#redactions.flatMap(({ edits }) => edits).sort((one, other) => one.start - other.start);
  }
}
