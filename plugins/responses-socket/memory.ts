import type { Fields } from "../../core/index.ts";

/** A conversation that can be gone on from. */
export interface Remembered {
  /** The response it goes on from itself, where that one is kept elsewhere. */
  readonly previous: unknown;
  /** What was said since, questions and answers. */
  readonly items: readonly Readonly<Fields>[];
  /** Bytes of all of it. */
  readonly size: number;
}

/** What one socket knows of responses that nobody stores. */
export class Memory {
  readonly #most: number;
  readonly #kept = new Map<string, Remembered>();
  #size = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  find(id: unknown): Remembered | undefined {
    return typeof id === "string" ? this.#kept.get(id) : undefined;
  }

  keep(id: string, conversation: Remembered): void {
    this.#forget(id);
    this.#kept.set(id, conversation);
    this.#size += conversation.size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most) break;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#size -= this.#kept.get(id)?.size ?? 0;
    this.#kept.delete(id);
  }
}
