export interface BreakerOptions {
  /** Failures in a row after which the store is left alone. */
  readonly threshold: number;
  /** Milliseconds it is left alone. */
  readonly backoff: number;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Leaves a store alone that keeps failing (observability.md section 14.3): closed → open → one probe → closed or open. */
export class StoreBreaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #openUntil: number | undefined;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get state(): "closed" | "open" | "probe" {
    if (this.#openUntil === undefined) return "closed";
    return this.#options.now() < this.#openUntil ? "open" : "probe";
  }

  /** When the store may be asked again; undefined when it may be now. */
  get opensAt(): number | undefined {
    return this.state === "open" ? this.#openUntil : undefined;
  }

  get failures(): number {
    return this.#failures;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = undefined;
  }

  failed(): void {
    this.#failures++;
    if (this.#failures >= this.#options.threshold) this.#openUntil = this.#options.now() + this.#options.backoff;
  }
}
