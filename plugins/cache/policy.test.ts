import { describe, expect, it } from "vitest";
import { ageOf, cachePolicy } from "./policy.ts";

const week = 604_800;

describe("the age of an answer", () => {
  it.each<[unknown, number | undefined, number]>([
    ["simple", undefined, week],
    ["simple", 86_400, 86_400],
    ["simple", 25_923_000, 25_923_000],
    [{ mode: "semantic" }, undefined, week],
    [{ mode: "simple", max_age: 300 }, undefined, 300],
    [{ mode: "simple", max_age: 300.9 }, undefined, 300],
    [{ mode: "simple", max_age: 300 }, 86_400, 300],
    [{ mode: "simple", max_age: 90_000 }, 86_400, 86_400],
    [{ mode: "simple", max_age: 10 }, undefined, 60],
    [{ mode: "simple", max_age: -1 }, undefined, 60],
    [{ mode: "simple", max_age: 60 }, undefined, 60],
    [{ mode: "simple", max_age: 7_776_000 }, undefined, 7_776_000],
    [{ mode: "simple", max_age: 7_776_001 }, undefined, 7_776_000],
    [{ mode: "simple", max_age: 1e300 }, 25_923_000, 7_776_000],
  ])("of %j under %j is %i", (given, most, seconds) => {
    expect(ageOf(cachePolicy.parse(given), most)).toBe(seconds);
  });
});
