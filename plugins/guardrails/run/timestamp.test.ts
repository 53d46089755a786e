import { afterEach, expect, it, vi } from "vitest";
import { timestamp } from "./timestamp.ts";

afterEach(() => void vi.useRealTimers());

it("is what a date would say, within a second and behind it, and when the clock is put back", () => {
  vi.useFakeTimers();
  for (const now of [0, 7, 42, 999, 1000, 1_767_607_200_123, 1_767_607_200_999, 1_767_607_201_000, 5]) {
    vi.setSystemTime(now);
    expect(timestamp()).toBe(new Date(now).toISOString());
  }
});
