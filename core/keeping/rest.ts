const failuresInARow = 5;
const restMs = 30_000;

/** Gives a service that fails a rest: after some failures in a row nobody asks for a while, then one does. */
export class Rest {
  readonly #now: () => number;
  #failures = 0;
  #until = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether nobody asks now. Who is told no asks, and says what became of it. */
  get on(): boolean {
    if (this.#failures < failuresInARow) return false;
    if (this.#now() < this.#until) return true;
    // One may try; the others wait for what becomes of it.
    this.#until = this.#now() + restMs;
    return false;
  }

  /** What became of one who tried is not known: another one may try. */
  unheard(): void {
    this.#until = 0;
  }

  heard(well: boolean): void {
    this.#failures = well ? 0 : this.#failures + 1;
    if (this.#failures >= failuresInARow) this.#until = this.#now() + restMs;
  }
}
