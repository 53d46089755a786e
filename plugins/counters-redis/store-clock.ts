/** How far two clocks drift apart at worst, in milliseconds a millisecond: a fifth of a second in a quarter of an hour. */
const drift = 0.0002;

/**
 * The clock of a store, by what its answers said. It was read between the question and the answer: so it is known to half
 * a round trip, and the shortest one counts until it is too old to be the best.
 */
export class StoreClock {
  readonly #local: () => number;
  #offset = 0;
  /** By how many milliseconds the offset may be wrong, when it was taken. */
  #doubt = Number.POSITIVE_INFINITY;
  #takenAt = Number.NEGATIVE_INFINITY;

  /** The local clock: milliseconds that never jump. */
  constructor(local: () => number) {
    this.#local = local;
  }

  /** Unix milliseconds of the store; of this machine before the first answer. */
  now(): number {
    return this.#local() + this.#offset;
  }

  /** Local milliseconds since the last answer that was made use of. */
  get age(): number {
    return this.#local() - this.#takenAt;
  }

  /** To be called when a question is sent; what it returns, with the time that its answer tells. */
  asking(): (told: number) => void {
    const sent = this.#local();
    return (told) => this.#learn(told, sent, this.#local());
  }

  #learn(told: number, sent: number, received: number): void {
    const doubt = (received - sent) / 2;
    const offset = told - (sent + received) / 2;
    const doubtNow = this.#doubt + (received - this.#takenAt) * drift;
    // Where both cannot be true, one of the clocks was set, or another store answers.
    const contradicts = Math.abs(offset - this.#offset) > doubt + doubtNow;
    if (doubt > doubtNow && !contradicts) return;
    this.#offset = offset;
    this.#doubt = doubt;
    this.#takenAt = received;
  }
}
