import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { atMost } from "./at-most.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("says whether a promise was fulfilled in time, and leaves no clock", async () => {
  expect(await atMost(50, Promise.resolve())).toBe(true);
  expect(await atMost(50, undefined)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  const late = atMost(50, new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(50);
  expect(await late).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it("rejects as the promise does, but not after its time", async () => {
  await expect(atMost(50, Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
  let refuse = (_: Error) => {};
  const late = atMost(
    50,
    new Promise((_, reject) => {
      refuse = reject;
    }),
  );
  await vi.advanceTimersByTimeAsync(50);
  refuse(new Error("too late to be heard"));
  expect(await late).toBe(false);
});

it("does not take a time that no timer can be set for as none", async () => {
  const waiting = atMost(9_999_999_999, new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(vi.getTimerCount()).toBe(1);
  vi.runAllTimers();
  expect(await waiting).toBe(false);
});
