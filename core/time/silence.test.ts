import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Silence } from "./silence.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Milliseconds at which something was heard, and at which silence has fallen by 100. */
const cases = [
  { heard: [], fell: [30, 60, 90] },
  { heard: [1], fell: [31, 61, 91] },
  { heard: [29, 58, 87], fell: [] },
  { heard: [10, 10, 20, 29], fell: [59, 89] },
  { heard: [29, 61], fell: [59, 91] },
];

it.each(cases)("falls at $fell where something is heard at $heard", ({ heard, fell }) => {
  const falls: number[] = [];
  const began = Date.now();
  const silence = new Silence(30, () => falls.push(Date.now() - began));
  for (let at = 1; at <= 100; at++) {
    vi.advanceTimersByTime(1);
    for (const time of heard) if (time === at) silence.heard();
  }
  expect(falls).toEqual(fell);
  silence.stop();
  vi.advanceTimersByTime(100);
  expect(falls).toEqual(fell);
  expect(vi.getTimerCount()).toBe(0);
});

it("lasts longer than a timer runs, and wakes for nothing meanwhile", () => {
  const silence = new Silence(1e12, () => expect.unreachable());
  const wakes = vi.spyOn(globalThis, "setTimeout");
  vi.advanceTimersByTime(1_000);
  expect(wakes).not.toHaveBeenCalled();
  wakes.mockRestore();
  silence.stop();
});
