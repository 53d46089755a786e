/** Writes Avro values, for tests. */

/** Zig-zag, seven bits to a byte, the lowest first. */
export function long(value: number): Buffer {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  const bytes: number[] = [];
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

export const text = (value: string): Buffer => Buffer.concat([long(Buffer.byteLength(value)), Buffer.from(value)]);

export function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

export const list = (...items: readonly Buffer[]): Buffer =>
  Buffer.concat([...(items.length > 0 ? [long(items.length), ...items] : []), long(0)]);

const sync = Buffer.alloc(16, 0x5a);

/** A file of blocks of values. */
export function avroFile(
  schema: unknown,
  blocks: readonly (readonly Buffer[])[],
  codec = "null",
  pack: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Buffer {
  const metadata = [
    long(2),
    text("avro.schema"),
    text(JSON.stringify(schema)),
    text("avro.codec"),
    text(codec),
    long(0),
  ];
  const written = blocks.flatMap((values) => {
    const data = pack(Buffer.concat(values));
    return [long(values.length), long(data.length), data, sync];
  });
  return Buffer.concat([Buffer.from("Obj\u0001", "latin1"), ...metadata, sync, ...written]);
}
