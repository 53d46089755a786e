interface Link<Key, Value> {
  readonly key: Key;
  value: Value;
  older: Link<Key, Value> | undefined;
  younger: Link<Key, Value> | undefined;
}

/**
 * A map that knows which of its entries was set the longest time ago, for what is bounded and forgets that one first. A Map
 * knows the order, too, but looks for its first entry among all that were deleted before it: where one comes and one goes,
 * that takes longer the more there are.
 */
export class AgedMap<Key, Value> {
  readonly #links = new Map<Key, Link<Key, Value>>();
  #oldest: Link<Key, Value> | undefined;
  #youngest: Link<Key, Value> | undefined;

  get size(): number {
    return this.#links.size;
  }

  /** The key of the entry set the longest time ago; undefined when there is none. */
  get oldest(): Key | undefined {
    return this.#oldest?.key;
  }

  get(key: Key): Value | undefined {
    return this.#links.get(key)?.value;
  }

  /** The value of an entry, which becomes the youngest. */
  use(key: Key): Value | undefined {
    const link = this.#links.get(key);
    if (link && link !== this.#youngest) {
      this.#unlink(link);
      this.#append(link);
    }
    return link?.value;
  }

  /** Makes the entry the youngest, whether it was there or not; the value it had. */
  set(key: Key, value: Value): Value | undefined {
    let link = this.#links.get(key);
    const before = link?.value;
    if (link) {
      link.value = value;
      this.#unlink(link);
    } else {
      link = { key, value, older: undefined, younger: undefined };
      this.#links.set(key, link);
    }
    this.#append(link);
    return before;
  }

  /** Whether the entry was there. */
  delete(key: Key): boolean {
    const link = this.#links.get(key);
    if (!link) return false;
    this.#unlink(link);
    return this.#links.delete(key);
  }

  /** Removes the entry set the longest time ago, and says which it was. */
  shift(): readonly [Key, Value] | undefined {
    const link = this.#oldest;
    if (!link) return undefined;
    this.#unlink(link);
    this.#links.delete(link.key);
    return [link.key, link.value];
  }

  /** The oldest first. */
  *values(): Generator<Value, void> {
    for (let link = this.#oldest; link; link = link.younger) yield link.value;
  }

  #append(link: Link<Key, Value>): void {
    link.older = this.#youngest;
    if (this.#youngest) this.#youngest.younger = link;
    else this.#oldest = link;
    this.#youngest = link;
  }

  #unlink(link: Link<Key, Value>): void {
    const { older, younger } = link;
    if (older) older.younger = younger;
    else this.#oldest = younger;
    if (younger) younger.older = older;
    else this.#youngest = older;
    link.older = undefined;
    link.younger = undefined;
  }
}
