import { expect, it } from "vitest";
import { madeInTurns } from "./in-turns.ts";

it("makes all of them in order, and lets others have their turn", async () => {
  const numbers = Array.from({ length: 200 }, (_, at) => at);
  let madeSoFar = 0;
  const seen: number[] = [];
  const look = () => {
    seen.push(madeSoFar);
    if (madeSoFar < numbers.length) setImmediate(look);
  };
  setImmediate(look);
  const made = await madeInTurns(numbers, (one) => {
    madeSoFar++;
    return one * 2;
  });
  expect(made).toEqual(numbers.map((one) => one * 2));
  expect(seen.slice(0, 3)).toEqual([64, 128, 192]);
});
