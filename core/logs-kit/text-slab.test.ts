import { expect, it } from "vitest";
import { TextSlab } from "./text-slab.ts";

const held = (written: readonly { readonly bytes: Buffer }[]): number => {
  const slabs = new Set(written.map(({ bytes }) => bytes.buffer));
  return [...slabs].reduce((sum, { byteLength }) => sum + byteLength, 0);
};

it("says how many bytes each text has", () => {
  const slab = new TextSlab();
  for (const texts of [
    ["a", "", "日本"],
    ["", "é", ""],
    ["x".repeat(300_000), "", "😀"],
  ]) {
    const { bytes, lengths } = slab.write(...texts);
    expect(lengths).toEqual(texts.map((text) => Buffer.byteLength(text)));
    expect(bytes.toString()).toBe(texts.join(""));
  }
});

it("makes no character of two halves where one text ends and another begins", () => {
  const slab = new TextSlab();
  for (const texts of [
    ["a\ud83d", "\ude00b", ""],
    ["\ud83d", "", "\ude00"],
    ["\ud83d".repeat(20_000), "\ude00", ""],
  ]) {
    const { bytes, lengths } = slab.write(...texts);
    expect(lengths).toEqual(texts.map((text) => Buffer.byteLength(text)));
    expect(bytes).toEqual(Buffer.concat(texts.map((text) => Buffer.from(text))));
  }
});

it("takes about as much memory as large texts have", () => {
  const slab = new TextSlab();
  const written = Array.from({ length: 20 }, () => slab.write("{}", "x".repeat(90_000)));
  expect(held(written)).toBeLessThan(20 * 90_002 * 1.2);
});

it("does not keep the memory of a large text for what is written after it", () => {
  const slab = new TextSlab();
  slab.write("x".repeat(5_000_000));
  expect(held([slab.write("after")])).toBeLessThan(1_000_000);
});
