import { createHash } from "node:crypto";
import type { Principal } from "../../core/index.ts";
import type { Refusal } from "./verify.ts";

/** A token that was found good. */
export interface Accepted {
  /** Unix milliseconds, clock tolerance included. */
  readonly expiresAt: number;
  readonly organisation: string;
  /** The id of its workspace. */
  readonly workspace: string;
  /** Who it lets in, as far as that depends on the token alone. */
  readonly own: Principal;
}

/** What a token is known by: the token itself is kept nowhere. */
export const digestOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

const most = { accepted: 10_000, refused: 1_000 } as const;

/** Milliseconds a refusal is remembered: trying a bad token again and again costs no signature checks. */
const refusedFor = 30_000;

/** What is known of tokens by their digests: those that are good until they expire, those that are not for a while. */
export class Tokens {
  readonly #accepted = new Map<string, Accepted>();
  readonly #refused = new Map<string, { readonly refusal: Refusal; readonly until: number }>();
  readonly #now: () => number;
  #generation = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  known(digest: string): Accepted | Refusal | undefined {
    const now = this.#now();
    const accepted = this.#accepted.get(digest);
    if (accepted && accepted.expiresAt > now) return accepted;
    const refused = accepted ? undefined : this.#refused.get(digest);
    if (refused && refused.until > now) return refused.refusal;
    this.#accepted.delete(digest);
    this.#refused.delete(digest);
    return undefined;
  }

  accept(digest: string, accepted: Accepted): void {
    keep(this.#accepted, digest, accepted, most.accepted);
  }

  refuse(digest: string, refusal: Refusal): void {
    if (refusal.final) keep(this.#refused, digest, { refusal, until: this.#now() + refusedFor }, most.refused);
  }

  /** Of another set of keys: all tokens are checked again. */
  signedWith(generation: number): void {
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#accepted.clear();
    this.#refused.clear();
  }
}

/** The one that was kept first goes first. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
