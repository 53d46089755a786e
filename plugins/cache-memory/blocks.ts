/** Bytes of a block. */
export const blockBytes = 1024;

/** A chunk has 2 to the power of this many blocks: a mebibyte. */
const chunkBits = 10;
const lastOfChunk = (1 << chunkBits) - 1;

/** No block. */
const none = -1;

interface Chunk {
  readonly bytes: Buffer;
  /** The block after each of its own, in an entry or among those that are free. */
  readonly next: Int32Array;
}

/** Where an entry is: its first block, and how many bytes it has. */
export interface Place {
  readonly first: number;
  readonly length: number;
}

/**
 * The bytes of many entries in a few buffers, each entry in as many blocks as it needs. With a buffer for each, the garbage
 * collector moves and follows what is kept, which is half of what the cache costs a request whose answer has a kilobyte.
 * What was taken from the system once is used again, and not given back.
 */
export class Blocks {
  readonly #chunks: Chunk[] = [];
  #free = none;

  /** Bytes taken from the system. */
  get bytes(): number {
    return this.#chunks.length * (lastOfChunk + 1) * blockBytes;
  }

  /** Copies the bytes: those of `head`, and those of `body` behind them. */
  write(head: Buffer, body: Buffer): Place {
    const length = head.length + body.length;
    let first = none;
    // From the end, so that of each block the next is known.
    for (let from = (Math.ceil(length / blockBytes) - 1) * blockBytes; from >= 0; from -= blockBytes) {
      const block = this.#taken();
      const { bytes: room, next } = this.#chunkOf(block);
      const at = block & lastOfChunk;
      const to = Math.min(from + blockBytes, length);
      const ofHead = from < head.length ? head.copy(room, at * blockBytes, from, Math.min(to, head.length)) : 0;
      const rest = from + ofHead - head.length;
      if (to > head.length) body.copy(room, at * blockBytes + ofHead, rest, to - head.length);
      next[at] = first;
      first = block;
    }
    return { first, length };
  }

  /** A copy. */
  read({ first, length }: Place): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let block = first;
    for (let at = 0; at < length; at += blockBytes) {
      const { bytes: room, next } = this.#chunkOf(block);
      const from = (block & lastOfChunk) * blockBytes;
      room.copy(bytes, at, from, from + Math.min(blockBytes, length - at));
      block = next[block & lastOfChunk] ?? none;
    }
    return bytes;
  }

  /** Whether an entry begins with these bytes. */
  begins({ first, length }: Place, bytes: Buffer): boolean {
    if (bytes.length > length) return false;
    let block = first;
    for (let at = 0; at < bytes.length; at += blockBytes) {
      const { bytes: room, next } = this.#chunkOf(block);
      const from = (block & lastOfChunk) * blockBytes;
      const to = Math.min(at + blockBytes, bytes.length);
      if (bytes.compare(room, from, from + to - at, at, to) !== 0) return false;
      block = next[block & lastOfChunk] ?? none;
    }
    return true;
  }

  /** Once for each entry: its blocks are others' afterwards. */
  free({ first, length }: Place): void {
    let block = first;
    for (let at = 0; at < length; at += blockBytes) {
      const { next } = this.#chunkOf(block);
      const after = next[block & lastOfChunk] ?? none;
      next[block & lastOfChunk] = this.#free;
      this.#free = block;
      block = after;
    }
  }

  #taken(): number {
    if (this.#free === none) this.#addChunk();
    const block = this.#free;
    this.#free = this.#chunkOf(block).next[block & lastOfChunk] ?? none;
    return block;
  }

  #addChunk(): void {
    const before = this.#chunks.length << chunkBits;
    const next = Int32Array.from({ length: lastOfChunk + 1 }, (_, at) => (at === lastOfChunk ? none : before + at + 1));
    this.#chunks.push({ bytes: Buffer.allocUnsafeSlow((lastOfChunk + 1) * blockBytes), next });
    this.#free = before;
  }

  #chunkOf(block: number): Chunk {
    return this.#chunks[block >> chunkBits] as Chunk;
  }
}
