import { expect, it } from "vitest";
import { readSource, writeSource } from "./source-texts.ts";

const utf16 = Buffer.from("the zebra", "utf16le");

it.each<[string, Buffer, string, string, string, Buffer]>([
  ["UTF-8", Buffer.from("é zebra"), "text/plain", "é zebra", "text/plain", Buffer.from("é ####")],
  [
    "letters the type names",
    Buffer.from("é zebra", "latin1"),
    "text/plain; charset=iso-8859-1",
    "é zebra",
    "text/plain; charset=utf-8",
    Buffer.from("é ####"),
  ],
  [
    "letters nobody names",
    Buffer.from("é zebra", "latin1"),
    "text/plain",
    "é zebra",
    "text/plain",
    Buffer.from("é ####", "latin1"),
  ],
  [
    "other letters than the type names",
    Buffer.from("\xff zebra", "latin1"),
    "text/plain;charset=utf-8",
    "\xff zebra",
    "text/plain;charset=utf-8",
    Buffer.from("\xff ####", "latin1"),
  ],
  [
    "letters unknown by name",
    Buffer.from("zebra"),
    "text/x; charset=mine",
    "zebra",
    "text/x; charset=mine",
    Buffer.from("####"),
  ],
  ["UTF-16", utf16, "text/plain;charset=utf-16le", "the zebra", "text/plain;charset=utf-8", Buffer.from("the ####")],
  ["UTF-16 without its name", utf16, "text/plain", "the zebra", "text/plain", Buffer.from("the ####")],
  [
    "UTF-16 of the other order",
    Buffer.from(utf16).swap16(),
    "text/plain",
    "the zebra",
    "text/plain",
    Buffer.from("the ####"),
  ],
  ["a zero in UTF-8", Buffer.from("zebra\0"), "text/plain", "zebra\0", "text/plain", Buffer.from("####\0")],
])("a file of text in %s is read and written without a loss", (_, bytes, mediaType, text, type, written) => {
  const source = { kind: "data", data: bytes.toString("base64"), mediaType } as const;
  expect(readSource(source)).toBe(text);
  expect(writeSource(source, text.replace("zebra", "####"))).toEqual({
    kind: "data",
    data: written.toString("base64"),
    mediaType: type,
  });
});
