import { expect, it } from "vitest";
import { seldom } from "./seldom.ts";

it("tells a trouble when it is new, and once a minute with how often it was met", () => {
  let now = 1_000_000;
  const times = seldom(() => now);
  expect([times("a"), times("a"), times("b"), times("a")]).toEqual([1, undefined, 1, undefined]);
  now += 59_999;
  expect(times("a")).toBeUndefined();
  now += 1;
  expect([times("a"), times("a"), times("b")]).toEqual([4, undefined, 1]);
});

it("remembers no more than a thousand", () => {
  const times = seldom(() => 0);
  for (let n = 0; n < 1_000; n++) times(String(n));
  expect([times("0"), times("new"), times("0")]).toEqual([undefined, 1, 1]);
});
