/** Bytes that are taken from the system at a time. */
const most = 256 * 1024;

/** Bytes that a UTF-16 unit can come to in UTF-8. */
const perUnit = 3;

/** Writes texts one behind the other into memory outside of the heap; a piece of it is free once nobody has any of its texts. */
export class TextSlab {
  #slab = Buffer.alloc(0);
  #used = 0;

  /** The texts in UTF-8, and how many bytes each has. */
  write(...texts: readonly string[]): { readonly bytes: Buffer; readonly lengths: readonly number[] } {
    const needed = texts.reduce((sum, text) => sum + text.length * perUnit, 0);
    if (this.#slab.length - this.#used < needed) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(most, needed));
      this.#used = 0;
    }
    const from = this.#used;
    const lengths = texts.map((text) => {
      const length = this.#slab.write(text, this.#used);
      this.#used += length;
      return length;
    });
    return { bytes: this.#slab.subarray(from, this.#used), lengths };
  }
}
