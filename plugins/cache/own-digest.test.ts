import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CanonicalJson } from "./canonical-json.ts";
import { digestOfJson } from "./digest.ts";
import { ownDigestOf } from "./own-digest.ts";

const writer = new CanonicalJson(["model"]);
const long = "a text that goes on ".repeat(2000);
const keyOf = (value: unknown, { own = true, parts = ["tenant"] }: { own?: boolean; parts?: string[] } = {}) =>
  digestOfJson(parts, Buffer.from(JSON.stringify(value)), writer, own);

describe("the digest of this process alone", () => {
  it("is the same for the same bytes, and another one wherever a bit, or the length, is another", () => {
    const bytes = randomBytes(20_000);
    const digest = ownDigestOf(bytes);
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(ownDigestOf(Buffer.from(bytes))).toBe(digest);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        const other = Buffer.from(bytes);
        other[at] = (other[at] ?? 0) ^ (1 << bit);
        expect(ownDigestOf(other)).not.toBe(digest);
      }),
    );
    expect(ownDigestOf(bytes.subarray(1))).not.toBe(digest);
    // The last block of 16 bytes is filled up with zeros.
    expect(ownDigestOf(Buffer.concat([bytes, Buffer.alloc(1)]))).not.toBe(digest);
  });
});

describe("the key of a long question", () => {
  it("is the same however it is written, and another one wherever anything is another", () => {
    const digest = keyOf({ a: 1, messages: [{ role: "user", content: long }], model: "one" });
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(keyOf({ model: "another", messages: [{ content: long, role: "user" }], a: 1 })).toBe(digest);
    expect(keyOf({ a: 2, messages: [{ role: "user", content: long }] })).not.toBe(digest);
    expect(keyOf({ a: 1, messages: [{ role: "user", content: `${long}.` }] })).not.toBe(digest);
    expect(keyOf({ a: 1, messages: [{ role: "user", content: long }] }, { parts: ["another tenant"] })).not.toBe(
      digest,
    );
  });

  it("is SHA-256, as everybody has it, where others read what is kept, and of everything short", () => {
    expect(keyOf({ content: long }, { own: false })).toMatch(/^[0-9a-f]{64}$/);
    expect(keyOf({ content: "short" })).toBe(keyOf({ content: "short" }, { own: false }));
    expect(keyOf({ content: "short" })).toMatch(/^[0-9a-f]{64}$/);
  });
});
