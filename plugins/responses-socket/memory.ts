import type { Conversation } from "./conversation.ts";

/** What one socket knows of responses that nobody stores. */
export class Memory {
  readonly #most: number;
  readonly #kept = new Map<string, Conversation>();
  #size = 0;

  /** `most` characters of JSON in all. */
  constructor(most: number) {
    this.#most = most;
  }

  find(id: unknown): Conversation | undefined {
    return typeof id === "string" ? this.#kept.get(id) : undefined;
  }

  /** The oldest are forgotten first; one that is too long by itself is not kept. */
  keep(id: string, conversation: Conversation): void {
    this.#forget(id);
    if (conversation.items.length > this.#most) return;
    this.#kept.set(id, conversation);
    this.#size += conversation.items.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#most) break;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#size -= this.#kept.get(id)?.items.length ?? 0;
    this.#kept.delete(id);
  }
}
