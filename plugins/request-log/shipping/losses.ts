import type { Counter } from "../../../core/index.ts";

/** What was given up: for want of room, as it fits no store, or as the process ended before the store was back. */
export interface Lost {
  /** Records that are gone. */
  records: number;
  /** Records that were kept without their content. */
  contents: number;
}

/** Counts what is lost, and tells whoever watches metrics of it (observability.md section 14.3). */
export class Losses {
  readonly total: Lost;
  readonly #counter: Counter | undefined;

  /** `total` is what was lost before, and goes on being counted there. */
  constructor(total: Lost = { records: 0, contents: 0 }, counter?: Counter) {
    this.total = total;
    this.#counter = counter;
  }

  add(what: keyof Lost, count: number): void {
    if (count <= 0) return;
    this.total[what] += count;
    this.#counter?.add(count, what);
  }
}
