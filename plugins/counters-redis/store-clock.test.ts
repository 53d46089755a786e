import { expect, it } from "vitest";
import { StoreClock } from "./store-clock.ts";

/** A local clock that is wrong by so much, a store whose clock is right, and the way there and back. */
function begun(skew: number) {
  let right = 1_800_000_000_000;
  let wrong = skew;
  const clock = new StoreClock(() => right + wrong);
  return {
    clock,
    off: () => clock.now() - right,
    pass(milliseconds: number, drift = 0) {
      right += milliseconds;
      wrong += milliseconds * drift;
    },
    set(jump: number) {
      wrong += jump;
    },
    ask(there: number, back: number) {
      const learn = clock.asking();
      right += there;
      const told = right;
      right += back;
      learn(told);
    },
  };
}

it.each([0, 3_600_000, -86_400_000, 0.4])(
  "goes by the store, to half a round trip, where this machine is %d ms off",
  (skew) => {
    const { ask, off } = begun(skew);
    expect(off()).toBeCloseTo(skew);
    for (const [there, back] of [
      [40, 2],
      [1, 9],
      [0.1, 0.3],
      [50, 50],
    ] as const) {
      ask(there, back);
      expect(Math.abs(off())).toBeLessThanOrEqual((there + back) / 2 + 0.001);
    }
  },
);

it("keeps what the shortest way told, until that is too old", () => {
  const { ask, off, pass } = begun(5000);
  ask(0.5, 0.5);
  ask(20, 0);
  expect(Math.abs(off())).toBeLessThanOrEqual(0.5);
  // A local clock that runs fast: after a quarter of an hour the old answer is worth no more than a new one.
  pass(900_000, 0.0001);
  ask(10, 9);
  expect(Math.abs(off())).toBeLessThanOrEqual(20);
  pass(1_000_000, 0.0001);
  ask(6, 6);
  expect(Math.abs(off())).toBeLessThanOrEqual(6);
});

it("believes a longer way when one of the clocks was set", () => {
  const { ask, off, set, clock } = begun(0);
  ask(0.1, 0.1);
  set(60_000);
  expect(off()).toBeGreaterThan(50_000);
  ask(20, 10);
  expect(Math.abs(off())).toBeLessThanOrEqual(15);
  expect(clock.age).toBe(0);
});
