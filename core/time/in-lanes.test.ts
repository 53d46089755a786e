import { expect, it } from "vitest";
import { inLanes } from "./in-lanes.ts";

it("has so many under way at once, and begins them in their order", async () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (one: number) => {
    begun.push(one);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const done = inLanes([1, 2, 3, 4], 2, work);
  expect(begun).toEqual([1, 2]);
  ends[1]?.();
  await expect.poll(() => begun).toEqual([1, 2, 3]);
  for (const end of ends) end();
  await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
  ends[3]?.();
  await done;
});

it("rejects with what one of them failed with", async () => {
  const failure = new Error("no");
  await expect(inLanes([1], 8, () => Promise.reject(failure))).rejects.toBe(failure);
  await inLanes([], 8, () => Promise.reject(failure));
});
