import { expect, it } from "vitest";
import { recentlyUsed } from "./inline-cache.ts";

it("keeps what was asked for most recently, and no more than it may", () => {
  const made: string[] = [];
  const cache = recentlyUsed<string>(2);
  const get = (key: string) => cache.get(key, () => `${key}${made.push(key)}`);
  expect([get("a"), get("b"), get("a"), get("c"), get("a"), get("b")]).toEqual(["a1", "b2", "a1", "c3", "a1", "b4"]);
  expect(made).toEqual(["a", "b", "c", "b"]);
});

it("keeps nothing of what could not be made", () => {
  const cache = recentlyUsed<string>(2);
  const failing = () => cache.get("a", () => JSON.parse("{") as string);
  expect(failing).toThrow();
  expect(cache.get("a", () => "made")).toBe("made");
});
