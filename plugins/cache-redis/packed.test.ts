import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { packed, unpacked } from "./packed.ts";

const text = (length: number) => Buffer.alloc(length, '{"role":"assistant"},');
const mark = Buffer.from("sluice-gzip\n");

describe("a value", () => {
  it.each<[string, Buffer, boolean]>([
    ["that is empty", Buffer.alloc(0), false],
    ["of 8 KiB", text(8192), false],
    ["of more", text(8193), true],
    ["that does not get shorter", randomBytes(20_000), false],
    ["that begins like a packed one", Buffer.concat([mark, Buffer.from("x")]), true],
    ["that is what packed ones begin with", mark, true],
    ["that is packed already", Buffer.concat([mark, randomBytes(20_000)]), true],
  ])("%s comes back as it was", async (_, value, isPacked) => {
    const kept = await packed(value);
    expect(kept.equals(value)).toBe(!isPacked);
    expect((await unpacked(kept, 100_000))?.equals(value)).toBe(true);
  });

  it("is packed where that makes it shorter", async () => {
    expect((await packed(text(100_000))).length).toBeLessThan(5000);
  });

  it.each<[string, (kept: Buffer) => Buffer, number]>([
    ["is cut off", (kept) => kept.subarray(0, kept.length - 9), 100_000],
    ["is damaged", (kept) => Buffer.concat([kept.subarray(0, 40), Buffer.alloc(20), kept.subarray(60)]), 100_000],
    ["is longer than may be", (kept) => kept, 99_999],
  ])("that %s is none", async (_, spoil, most) => {
    expect(await unpacked(spoil(await packed(text(100_000))), most)).toBeUndefined();
  });
});
