import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { avroObjects } from "./avro.ts";
import { avroFile, double, list, long, text } from "./testing.ts";

const schema = {
  type: "record",
  name: "Row",
  fields: [
    { name: "id", type: "long" },
    { name: "text", type: ["null", "string"] },
    { name: "vector", type: { type: "array", items: "double" } },
    { name: "kind", type: { type: "enum", name: "Kind", symbols: ["A", "B"] } },
    { name: "more", type: { type: "map", values: ["null", "Row"] } },
    { name: "flag", type: "boolean" },
    { name: "half", type: "float" },
    { name: "raw", type: { type: "fixed", name: "Two", size: 2 } },
    { name: "when", type: { type: "int", logicalType: "date" } },
  ],
};
const float = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const row = (id: number, more: readonly Buffer[] = [long(0)]) =>
  Buffer.concat([
    long(id),
    id < 0 ? long(0) : Buffer.concat([long(1), text("é")]),
    list(double(0.5), double(-2)),
    long(1),
    ...more,
    Buffer.from([1]),
    float(1.5),
    Buffer.from([7, 8]),
    long(20_454),
  ]);
const nested = [long(1), text("inner"), long(1), row(3), long(0)];
const rows = [row(-65), row(300, nested), row(2 ** 40)];
const read = (id: number, more: object = {}) => ({
  id,
  text: id < 0 ? null : "é",
  vector: [0.5, -2],
  kind: "B",
  more,
  flag: true,
  half: 1.5,
  raw: Buffer.from([7, 8]),
  when: 20_454,
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function objectsIn(bytes: Buffer, size = bytes.length) {
  const all: unknown[] = [];
  for await (const object of avroObjects(inPieces(bytes, size))) all.push(object);
  return all;
}

describe("an Avro file", () => {
  it.each([
    ["null", (bytes: Buffer) => bytes],
    ["deflate", (bytes: Buffer) => deflateRawSync(bytes)],
  ])("packed by %s is read, wherever the network cuts it", async (codec, pack) => {
    const file = avroFile(schema, [rows.slice(0, 2), rows.slice(2)], codec, pack);
    const expected = [read(-65), read(300, { inner: read(3) }), read(2 ** 40)];
    for (const size of [1, 7, 64, file.length]) expect(await objectsIn(file, size)).toEqual(expected);
  });

  it.each([
    ["breaks off", avroFile(schema, [rows]).subarray(0, -5), "breaks off"],
    ["breaks off in its head", avroFile(schema, [rows]).subarray(0, 20), "breaks off"],
    ["is something else", Buffer.from("{}\n{}\n{}\n"), "no Avro file"],
    ["is packed by something else", avroFile(schema, [rows], "snappy"), "packed by snappy"],
    ["is packed badly", avroFile(schema, [rows], "deflate"), "cannot be unpacked"],
    [
      "has another mark behind a block",
      Buffer.concat([avroFile(schema, [rows]).subarray(0, -1), Buffer.from([1])]),
      "damaged",
    ],
    ["has types nobody knows", avroFile({ type: "decimal" }, [rows]), "nobody knows"],
    ["holds no objects", avroFile("long", [[long(1)]]), "holds no objects"],
  ])("that %s is refused", async (_, file, message) => {
    await expect(objectsIn(file)).rejects.toThrow(message);
  });
});
