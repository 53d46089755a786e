import { createSecretKey, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { digestOf, isMarked, newValue } from "./secret-values.ts";

const key = createSecretKey(randomBytes(32));
const other = createSecretKey(randomBytes(32));
const value = newValue(key, "acme_");
const changed = (at: number) => value.slice(0, at) + (value[at] === "A" ? "B" : "A") + value.slice(at + 1);

it("is the prefix and 43 characters of base64url, never the same", () => {
  expect(value).toMatch(/^acme_[\w-]{43}$/);
  expect(newValue(key, "")).toMatch(/^[\w-]{43}$/);
  expect(newValue(key, "acme_")).not.toBe(value);
});

it.each<[string, string, boolean]>([
  ["one that was made here", value, true],
  ["one without a prefix", newValue(key, ""), true],
  ["one of another installation", newValue(other, "acme_"), false],
  ["one with another prefix", value.replace("acme", "acmf"), false],
  ["one with a typing error", changed(10), false],
  ["one with a typing error at its end", changed(value.length - 1), false],
  ["somebody else's", "sk-proj-0123456789abcdefghijklmnopqrstuvwxyzABCDEF", false],
  ["a short one", "sk-1", false],
  ["one that is no ASCII", `${value.slice(0, -1)}é`, false],
])("tells %s", (_, given, marked) => expect(isMarked(key, given)).toBe(marked));

it("digests under the installation's key", () => {
  expect(digestOf(key, value)).toEqual(digestOf(key, value));
  expect(digestOf(other, value)).not.toEqual(digestOf(key, value));
});
