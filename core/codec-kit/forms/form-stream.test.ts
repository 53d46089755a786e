import { describe, expect, it } from "vitest";
import { readForm, writeForm } from "./form.ts";
import { formParts } from "./form-stream.ts";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** What a form has in it, with every part's bytes as text. */
async function read(bytes: Buffer, contentType: string, size = bytes.length) {
  const parts: unknown[] = [];
  for await (const { name, filename, contentType: type, bytes: pieces } of formParts(
    inPieces(bytes, size),
    contentType,
  )) {
    const all: Buffer[] = [];
    for await (const piece of pieces) all.push(piece);
    parts.push([name, filename, type, Buffer.concat(all).toString("latin1")]);
  }
  return parts;
}

const binary = Buffer.from([0, 13, 10, 45, 45, 255, 13, 10, 13, 10, 45, 45, 120]);
const written = writeForm({
  purpose: "batch",
  file: { filename: 'a"b.jsonl', contentType: "text/plain", bytes: binary },
  empty: "",
  last: { filename: "none", bytes: Buffer.alloc(0) },
});

describe("a form that is still arriving", () => {
  it("is read as a whole one is, wherever the network cuts it", async () => {
    const expected = readForm(written.bytes, written.contentType).map(({ name, value }) =>
      typeof value === "string"
        ? [name, undefined, undefined, value]
        : [name, value.filename, value.contentType, value.bytes.toString("latin1")],
    );
    expect(expected).toHaveLength(4);
    for (let size = 1; size <= written.bytes.length; size++)
      expect(await read(written.bytes, written.contentType, size)).toEqual(expected);
  });

  it("holds no more of a file than the piece that came last", async () => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n';
    let given = 0;
    async function* source(): AsyncGenerator<Buffer> {
      yield Buffer.from(head);
      for (; given < 1000; given++) yield Buffer.alloc(1000, 97);
      yield Buffer.from("\r\n--b--\r\n");
    }
    let taken = 0;
    for await (const { bytes } of formParts(source(), "multipart/form-data; boundary=b"))
      for await (const piece of bytes) {
        taken += piece.length;
        expect(given * 1000 - taken).toBeLessThan(2000);
      }
    expect(taken).toBe(1_000_000);
  });

  it("skips parts nobody reads", async () => {
    const names: string[] = [];
    for await (const { name } of formParts(inPieces(written.bytes, 7), written.contentType)) names.push(name);
    expect(names).toEqual(["purpose", "file", "empty", "last"]);
  });

  const type = "multipart/form-data; boundary=b";
  it.each([
    ["has no boundary", "hello", type, "its boundary is not in it"],
    ["has a content type without one", "--b--", "multipart/form-data", "its content type has no boundary"],
    ["breaks off in a file", '--b\r\ncontent-disposition: form-data; name="f"\r\n\r\nabc', type, "it has no end"],
    ["breaks off in a head", "--b\r\ncontent-disp", type, "it has no end"],
    ["breaks off behind a boundary", "--b", type, "it has no end"],
    ["has a part without a name", "--b\r\nx: y\r\n\r\nabc\r\n--b--", type, "a part has no name"],
    ["has a boundary in a line", "--bx\r\n", type, "a boundary stands in the middle of a line"],
    ["has a head without end", `--b\r\n${"x".repeat(20_000)}`, type, "the headers of a part are longer"],
    ["begins with something else", `${"x".repeat(5_000)}\r\n--b--`, type, "its boundary is not in it"],
  ])("is refused where it %s", async (_, text, contentType, message) => {
    await expect(read(Buffer.from(text), contentType, 5)).rejects.toThrow(message);
  });
});
