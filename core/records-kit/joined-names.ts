/** Characters of a name that is remembered: longer ones are no names, and whoever calls may send any number of them. */
const longest = 200;

/**
 * Names of two parts, which are put together once: a text that was just put together has to be hashed whole whenever it is
 * looked up, and one that was looked up before does not.
 */
export class JoinedNames {
  readonly #known = new Map<string, Map<string, string>>();
  readonly #most: number;
  #count = 0;

  /** `most`: names that are remembered. */
  constructor(most: number) {
    this.#most = most;
  }

  of(first: string, second: string): string {
    const known = this.#known.get(first);
    const name = known?.get(second);
    if (name !== undefined) return name;
    const joined = `${first}\n${second}`;
    if (joined.length > longest) return joined;
    if (++this.#count > this.#most) {
      this.#known.clear();
      this.#count = 0;
      return joined;
    }
    if (known) known.set(second, joined);
    else this.#known.set(first, new Map([[second, joined]]));
    return joined;
  }
}
