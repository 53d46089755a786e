import { expect, it } from "vitest";
import { textOfBytes } from "./text-of-bytes.ts";

const bytes = (...all: number[]) => Buffer.from(all).toString("base64");

it.each<[string, string, string[] | undefined, string | undefined]>([
  ["UTF-8 unless said", Buffer.from("naïve").toString("base64"), undefined, "naïve"],
  ["UTF-8 where said", Buffer.from("naïve").toString("base64"), ["charset=UTF-8", "base64"], "naïve"],
  ["Latin-1", bytes(0x6e, 0x61, 0xef), ["charset=iso-8859-1", "base64"], "naï"],
  ["Cyrillic letters", bytes(0xcf, 0xf0, 0xe8), ['charset="windows-1251"', "base64"], "При"],
  ["Japanese", bytes(0x93, 0xfa), ["charset=Shift_JIS"], "日"],
  ["no text that is not in it", bytes(0x6e, 0xef), undefined, undefined],
  ["no text that is not what it says", bytes(0x81), ["charset=shift_jis"], undefined],
  ["no text in what nobody knows", bytes(0x6e), ["charset=martian"], undefined],
])("bytes are read as %s", (_, data, parameters, text) => {
  expect(textOfBytes(data, parameters)).toBe(text);
});
