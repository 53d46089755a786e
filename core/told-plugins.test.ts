import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Logger } from "./model/logger.ts";
import { closeAll, closedWithin, tellAll } from "./told-plugins.ts";

const logger = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }) satisfies Logger;

describe("plugins that are told something", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("not now");
      },
    ],
    ["rejects", () => Promise.reject(new Error("not now"))],
  ])("are named where one %s, which keeps it from nobody", async (_, listener) => {
    const log = logger();
    const good = vi.fn();
    tellAll(
      [
        { plugin: "bad", listener },
        { plugin: "good", listener: good },
      ],
      "a plugin failed",
      log,
    );
    expect(good).toHaveBeenCalledOnce();
    await vi.waitFor(() =>
      expect(log.error).toHaveBeenCalledWith("a plugin failed", { plugin: "bad", error: new Error("not now") }),
    );
  });
});

describe("closers", () => {
  it("are all called, last first, and one that fails or never settles is told of with its plugin", async () => {
    const log = logger();
    const closed: string[] = [];
    const closers = [
      { plugin: "one", listener: () => void closed.push("one") },
      { plugin: "stuck", listener: () => new Promise<void>(() => {}) },
      { plugin: "broken", listener: () => Promise.reject(new Error("no")) },
      { plugin: "four", listener: async () => void closed.push("four") },
    ];
    await closeAll(closers, 5, log);
    expect(closed).toEqual(["four", "one"]);
    expect(closers).toEqual([]);
    expect(log.error.mock.calls).toEqual([
      ["closing failed", { plugin: "broken", error: new Error("no") }],
      ["closing failed", { plugin: "stuck", error: new Error("did not settle within 5 ms") }],
    ]);
  });

  it("have as long as they say where that is longer than a hook may take", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const log = logger();
    const closesAfter = (milliseconds: number) => () =>
      new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    const closers = [
      { plugin: "usual", listener: closesAfter(900) },
      { plugin: "slow", listener: closesAfter(4_900), longest: 5_000 },
      { plugin: "slower", listener: closesAfter(5_100), longest: 5_000 },
      { plugin: "quick", listener: closesAfter(900), longest: 10 },
    ];
    expect(closedWithin(closers, 1_000)).toBe(11_010);
    const closed = closeAll(closers, 1_000, log);
    await vi.runAllTimersAsync();
    await closed;
    expect(log.error.mock.calls).toEqual([
      ["closing failed", { plugin: "slower", error: new Error("did not settle within 5000 ms") }],
    ]);
  });
});
