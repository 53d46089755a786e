/** No slot. */
export const none = -1;

/** How many slots there are at first. */
const fewest = 1024;

/** What is known of an entry, by its slot. */
interface Columns {
  readonly hash: Int32Array;
  /** The next slot with as much of the hash as the table looks at, or the next that is free. */
  readonly next: Int32Array;
  readonly older: Int32Array;
  readonly younger: Int32Array;
  /** The entry's first block. */
  readonly first: Int32Array;
  /** Its bytes, the name's among them. */
  readonly length: Int32Array;
  /** Unix milliseconds. */
  readonly expiresAt: Float64Array;
}

/**
 * Entries by the hash of their name and by when they were last used, in arrays of numbers. With objects in a Map, the garbage
 * collector copies and follows each entry, and a request whose answer is kept waits for it: half of what keeping costs.
 */
export class Slots {
  #columns = columnsOf(fewest);
  /** The first slot of each chain; as many as there are slots. */
  #heads = new Int32Array(fewest).fill(none);
  #free = none;
  /** Slots from here on were never taken. */
  #untaken = 0;
  #oldest = none;
  #youngest = none;

  /** The slot used the longest time ago, or none. */
  get oldest(): number {
    return this.#oldest;
  }

  firstBlock(slot: number): number {
    return this.#columns.first[slot] as number;
  }

  length(slot: number): number {
    return this.#columns.length[slot] as number;
  }

  expiresAt(slot: number): number {
    return this.#columns.expiresAt[slot] as number;
  }

  /** The first slot with a hash, or the next one after a slot of it; names still have to be compared. */
  alike(hash: number, after = none): number {
    const { hash: hashes, next } = this.#columns;
    let slot = (after === none ? this.#heads[this.#chainOf(hash)] : next[after]) as number;
    while (slot !== none && hashes[slot] !== hash) slot = next[slot] as number;
    return slot;
  }

  /** Takes a slot, the youngest then. */
  add(hash: number, firstBlock: number, length: number, expiresAt: number): void {
    const slot = this.#taken();
    const columns = this.#columns;
    columns.hash[slot] = hash;
    columns.first[slot] = firstBlock;
    columns.length[slot] = length;
    columns.expiresAt[slot] = expiresAt;
    this.#chain(slot, hash);
    this.#append(slot);
  }

  /** Makes a slot the youngest. */
  use(slot: number): void {
    if (slot === this.#youngest) return;
    this.#unlink(slot);
    this.#append(slot);
  }

  /** Once for each that was taken. */
  remove(slot: number): void {
    const { hash, next } = this.#columns;
    const chain = this.#chainOf(hash[slot] as number);
    let before = none;
    for (let at = this.#heads[chain] as number; at !== slot; at = next[at] as number) before = at;
    if (before === none) this.#heads[chain] = next[slot] as number;
    else next[before] = next[slot] as number;
    this.#unlink(slot);
    next[slot] = this.#free;
    this.#free = slot;
  }

  #taken(): number {
    const slot = this.#free;
    if (slot !== none) {
      this.#free = this.#columns.next[slot] as number;
      return slot;
    }
    if (this.#untaken === this.#heads.length) this.#grow();
    return this.#untaken++;
  }

  /** Twice as many; all of those there are have been taken. */
  #grow(): void {
    const before = this.#columns;
    const count = this.#heads.length * 2;
    this.#columns = columnsOf(count);
    for (const name of columnNames) this.#columns[name].set(before[name]);
    this.#heads = new Int32Array(count).fill(none);
    for (let slot = 0; slot < this.#untaken; slot++) this.#chain(slot, before.hash[slot] as number);
  }

  #chainOf(hash: number): number {
    return hash & (this.#heads.length - 1);
  }

  #chain(slot: number, hash: number): void {
    const chain = this.#chainOf(hash);
    this.#columns.next[slot] = this.#heads[chain] as number;
    this.#heads[chain] = slot;
  }

  #append(slot: number): void {
    const { older, younger } = this.#columns;
    older[slot] = this.#youngest;
    younger[slot] = none;
    if (this.#youngest === none) this.#oldest = slot;
    else younger[this.#youngest] = slot;
    this.#youngest = slot;
  }

  #unlink(slot: number): void {
    const { older, younger } = this.#columns;
    const before = older[slot] as number;
    const after = younger[slot] as number;
    if (before === none) this.#oldest = after;
    else younger[before] = after;
    if (after === none) this.#youngest = before;
    else older[after] = before;
  }
}

const columnsOf = (count: number): Columns => ({
  hash: new Int32Array(count),
  next: new Int32Array(count),
  older: new Int32Array(count),
  younger: new Int32Array(count),
  first: new Int32Array(count),
  length: new Int32Array(count),
  expiresAt: new Float64Array(count),
});

const columnNames = ["hash", "next", "older", "younger", "first", "length", "expiresAt"] as const;
