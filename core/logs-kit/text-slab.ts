/** Bytes that are taken from the system at a time. */
const most = 256 * 1024;

/** Texts that may come to more than this have memory of their own, so that little of a piece is left over. */
const large = most / 8;

/** Bytes that a UTF-16 unit can come to in UTF-8. */
const perUnit = 3;

/** Writes texts one behind the other into memory outside of the heap; a piece of it is free once nobody has any of its texts. */
export class TextSlab {
  #slab = Buffer.alloc(0);
  #used = 0;

  /** The texts in UTF-8, and how many bytes each has. */
  write(...texts: readonly string[]): { readonly bytes: Buffer; readonly lengths: readonly number[] } {
    const all = texts.join("");
    const needed = all.length * perUnit;
    if (needed > large) return ofTheirOwn(texts);
    if (this.#slab.length - this.#used < needed) {
      this.#slab = Buffer.allocUnsafeSlow(most);
      this.#used = 0;
    }
    const from = this.#used;
    const length = this.#slab.write(all, from);
    // Where no character has more than a byte, texts are as long as they look: most need not be measured.
    const lengths = texts.map(length === all.length ? lengthOf : byteLengthOf);
    // Two halves of a character, the end of one text and the beginning of the next, would have become a whole one.
    if (sumOf(lengths) !== length) return ofTheirOwn(texts);
    this.#used += length;
    return { bytes: this.#slab.subarray(from, this.#used), lengths };
  }
}

const lengthOf = (text: string): number => text.length;
const byteLengthOf = (text: string): number => Buffer.byteLength(text);
const sumOf = (lengths: readonly number[]): number => lengths.reduce((sum, length) => sum + length, 0);

function ofTheirOwn(texts: readonly string[]) {
  const lengths = texts.map(byteLengthOf);
  const bytes = Buffer.allocUnsafeSlow(sumOf(lengths));
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return { bytes, lengths };
}
