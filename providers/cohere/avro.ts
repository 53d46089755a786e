import { inflateRawSync } from "node:zlib";
import { isRecord, raise } from "../../core/provider-kit/index.ts";
import { Cursor, EndOfBytes, readerOf } from "./avro-values.ts";

/** What a file of objects begins with. */
const magic = Buffer.from("Obj\u0001", "latin1");

/** Bytes of a block of objects at most: it is held whole. */
const longestBlock = 256 * 1024 * 1024;
const syncLength = 16;

/** The schema of the metadata in front of the objects. */
const metadata = readerOf({ type: "map", values: "bytes" });

export const isAvro = (beginning: Buffer): boolean => beginning.subarray(0, magic.length).equals(magic);

/**
 * The objects of an Avro file (object container files, Apache Avro 1.11) as its bytes arrive; one block is held at a time.
 * Throws `upstream_invalid` where it breaks off or is written in a way nobody knows here.
 */
export async function* avroObjects(bytes: AsyncIterable<Buffer>): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const held = new Held(bytes);
  const { read, unpack, sync } = await held.next(headIn);
  for (;;) {
    const block = (await held.atEnd()) ? undefined : await held.next(blockIn);
    if (!block) return;
    if (!block.sync.equals(sync))
      raise("upstream_invalid", "The vendor's file is damaged: a block ends in another mark.");
    const cursor = new Cursor(unpack(block.data));
    for (let left = block.count; left > 0; left--) {
      const object = read(cursor);
      yield isRecord(object) ? object : raise("upstream_invalid", "The vendor's file holds no objects.");
    }
  }
}

function headIn(cursor: Cursor) {
  if (!isAvro(cursor.take(magic.length))) raise("upstream_invalid", "The vendor's file is no Avro file.");
  const fields = metadata(cursor) as Readonly<Record<string, Buffer>>;
  const codec = fields["avro.codec"]?.toString() ?? "null";
  const unpack =
    codecs[codec] ?? raise("upstream_invalid", `The vendor's file is packed by ${codec}, which is not known here.`);
  return { read: readerOf(JSON.parse(`${fields["avro.schema"]}`)), unpack, sync: cursor.take(syncLength) };
}

const codecs: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  null: (bytes) => bytes,
  deflate(bytes) {
    try {
      return inflateRawSync(bytes, { maxOutputLength: longestBlock });
    } catch {
      return raise("upstream_invalid", "The vendor's file is damaged: a block cannot be unpacked.");
    }
  },
};

function blockIn(cursor: Cursor) {
  const count = cursor.long();
  const size = cursor.long();
  if (size > longestBlock)
    raise("upstream_invalid", `A block of the vendor's file is larger than ${longestBlock} bytes.`);
  return { count, data: cursor.take(size), sync: cursor.take(syncLength) };
}

/** Bytes that arrive, until there are enough of them for what is to be read. */
class Held {
  readonly #source: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  async atEnd(): Promise<boolean> {
    return this.#bytes.length === 0 && !(await this.#more(1));
  }

  async next<Value>(read: (cursor: Cursor) => Value): Promise<Value> {
    for (;;) {
      const cursor = new Cursor(this.#bytes);
      try {
        const value = read(cursor);
        this.#bytes = this.#bytes.subarray(cursor.at);
        return value;
      } catch (error) {
        if (!(error instanceof EndOfBytes)) throw error;
      }
      // As much again before it is tried again: a large block is not looked at piece by piece.
      if (!(await this.#more(Math.max(this.#bytes.length, 1))))
        raise("upstream_truncated", "The vendor's file breaks off.");
    }
  }

  /** Takes in so many bytes more, or what there is; false where there is nothing. */
  async #more(wanted: number): Promise<boolean> {
    const pieces = [this.#bytes];
    let length = 0;
    while (length < wanted) {
      const { done, value } = await this.#source.next();
      if (done) break;
      pieces.push(value);
      length += value.length;
    }
    this.#bytes = Buffer.concat(pieces);
    return length > 0;
  }
}
