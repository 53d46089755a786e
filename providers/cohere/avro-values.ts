import { isRecord, raise } from "../../core/provider-kit/index.ts";

/** Bytes that are read from the front. */
export class Cursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  get at(): number {
    return this.#at;
  }
  take(length: number): Buffer {
    if (length < 0 || this.#at + length > this.#bytes.length) throw new EndOfBytes();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
  /** Zig-zag, seven bits to a byte, the lowest first. */
  long(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.take(1)[0] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  bytes(): Buffer {
    return this.take(this.long());
  }
  text(): string {
    return this.bytes().toString();
  }
}

/** There would have to be more. */
export class EndOfBytes extends Error {
  override readonly name = "EndOfBytes";
  constructor() {
    super("The bytes end before the value does.");
  }
}

export type Read = (from: Cursor) => unknown;

const primitives: Readonly<Record<string, Read>> = {
  null: () => null,
  boolean: (from) => from.take(1)[0] === 1,
  int: (from) => from.long(),
  long: (from) => from.long(),
  float: (from) => from.take(4).readFloatLE(),
  double: (from) => from.take(8).readDoubleLE(),
  bytes: (from) => from.bytes(),
  string: (from) => from.text(),
};

const unknown = (schema: unknown): never =>
  raise("upstream_invalid", `The vendor's file has values nobody knows: ${JSON.stringify(schema)}.`);

/** A reader of the values of a schema (Apache Avro 1.11). Types that have a name may be named again. */
export function readerOf(schema: unknown, named = new Map<string, Read>()): Read {
  if (typeof schema === "string") return primitives[schema] ?? named.get(schema) ?? unknown(schema);
  if (Array.isArray(schema)) return unionOf(schema.map((one) => readerOf(one, named)));
  if (!isRecord(schema)) return unknown(schema);
  const { type, name, items, values, symbols, size } = schema;
  switch (type) {
    case "record":
      return recordOf(schema, named);
    case "array":
      return listOf(readerOf(items, named));
    case "map":
      return mapOf(readerOf(values, named));
    case "enum":
      return known(name, named, (from) => (Array.isArray(symbols) ? symbols[from.long()] : unknown(schema)));
    case "fixed":
      return known(name, named, (from) => from.take(Number(size)));
    default:
      return readerOf(type, named);
  }
}

function known(name: unknown, named: Map<string, Read>, read: Read): Read {
  if (typeof name === "string") named.set(name, read);
  return read;
}

function recordOf({ name, fields }: Readonly<Record<string, unknown>>, named: Map<string, Read>): Read {
  const readers: [string, Read][] = [];
  const read = known(name, named, (from) => Object.fromEntries(readers.map(([field, value]) => [field, value(from)])));
  for (const field of Array.isArray(fields) ? fields : unknown(fields))
    readers.push([String(field.name), readerOf(field.type, named)]);
  return read;
}

const unionOf =
  (branches: readonly Read[]): Read =>
  (from) =>
    (branches[from.long()] ?? unknown("a branch of a union"))(from);

/** Items come in blocks, each with their number; a negative one is followed by the size of the block. */
function* blocks(from: Cursor): Generator<undefined> {
  for (let count = from.long(); count !== 0; count = from.long()) {
    if (count < 0) from.long();
    for (let left = Math.abs(count); left > 0; left--) yield undefined;
  }
}

const listOf =
  (read: Read): Read =>
  (from) => {
    const items: unknown[] = [];
    for (const _ of blocks(from)) items.push(read(from));
    return items;
  };

const mapOf =
  (read: Read): Read =>
  (from) => {
    const entries: [string, unknown][] = [];
    for (const _ of blocks(from)) entries.push([from.text(), read(from)]);
    return Object.fromEntries(entries);
  };
