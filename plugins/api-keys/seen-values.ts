import { hash, randomBytes } from "node:crypto";
import type { SecretOwner } from "./secrets.ts";

/** What a value came to when it was looked up: its digest, and the key to ask whether it still has it. */
export interface Seen {
  readonly digest: Buffer;
  readonly owner: SecretOwner;
}

const most = 100_000;

/**
 * Values that let somebody in, by digests under a salt of this process: making one costs a fifth of what the keyed digest does, and
 * neither its time nor a memory dump tells a value. The one that was kept first goes first.
 */
export class SeenValues {
  readonly #salt = randomBytes(16).toString("base64");
  readonly #seen = new Map<string, Seen>();

  get(value: string): Seen | undefined {
    return this.#seen.get(this.#of(value));
  }

  keep(value: string, seen: Seen): void {
    this.#seen.set(this.#of(value), seen);
    if (this.#seen.size <= most) return;
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined) this.#seen.delete(oldest);
  }

  #of(value: string): string {
    return hash("sha256", this.#salt + value, "base64");
  }
}
