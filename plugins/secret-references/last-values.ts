import type { SecretContent } from "./secret-content.ts";

/** A value as it was fetched. */
export interface LastValue {
  readonly content: SecretContent;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Milliseconds after which a value serves nobody any more, whatever its manager does (operations.md section 10.5). */
export const servesFor = 60 * 60_000;

/**
 * The last values over all generations of the config: a reload fetches secrets anew, and while their managers fail, what was
 * there before serves as it would have without a reload. By the place they are from: another place has other values.
 */
export class LastValues {
  readonly #byPlace = new Map<string, LastValue>();

  of(place: string): LastValue | undefined {
    return this.#byPlace.get(place);
  }

  /** Those that nobody asks for any more go. */
  set(place: string, value: LastValue): void {
    this.#byPlace.set(place, value);
    for (const [other, { at }] of this.#byPlace) if (value.at - at >= servesFor) this.#byPlace.delete(other);
  }

  /** Where another one came after it, that one stays. */
  forget(place: string, content: SecretContent): void {
    if (this.#byPlace.get(place)?.content === content) this.#byPlace.delete(place);
  }
}
