import { describe, expect, it } from "vitest";
import { MemoryCounters } from "./memory-counters.ts";

const start = 1_800_000_000_000;
const minute = 60_000;

function begun(most?: number) {
  let time = start;
  const told: number[] = [];
  const counters = new MemoryCounters({ now: () => time, most, onFull: (many) => told.push(many) });
  return {
    counters,
    told,
    pass(milliseconds: number) {
      time += milliseconds;
    },
    raise: (key: string, lasts: number, hold?: { readonly id: string; readonly lasts: number }) =>
      counters.claim("g", [
        {
          ...{ key, limit: 1000n, rule: "within", amount: 1n, expiresAt: time + lasts },
          ...(hold && { hold: { id: hold.id, until: time + hold.lasts } }),
        },
      ]),
    left: (...keys: string[]) => keys.filter((_, at) => counters.read("g", keys)[at] === 1n),
  };
}

describe("counters in memory", () => {
  it("drop those that expire first when there are too many, and say so once", () => {
    const { counters, told, raise, left } = begun(3);
    raise("month", 30 * 24 * 60 * minute);
    raise("minute", minute);
    raise("day", 24 * 60 * minute);
    expect(told).toEqual([]);
    raise("hour", 60 * minute);
    expect(left("month", "minute", "day", "hour")).toEqual(["month", "day", "hour"]);
    raise("second hour", 60 * minute);
    expect(left("month", "day", "hour", "second hour")).toEqual(["month", "day", "second hour"]);
    expect(counters.size).toBe(3);
    expect(told).toEqual([3]);
  });

  it("drop what is over before anything else, without a word", () => {
    const { counters, told, raise, left, pass } = begun(2);
    raise("a", minute);
    raise("b", 3 * minute);
    pass(2 * minute);
    raise("c", minute);
    expect(left("b", "c")).toEqual(["b", "c"]);
    expect(told).toEqual([]);
    expect(counters.size).toBe(2);
  });

  it("take the place of those that are over: new ones clear away more than they add", () => {
    const { counters, raise, pass } = begun();
    for (let at = 0; at < 1000; at++) raise(`old ${at}`, minute);
    pass(3 * minute);
    for (let at = 0; at < 500; at++) raise(`new ${at}`, 10 * minute);
    expect(counters.size).toBe(500);
  });

  it("are swept where no new ones come, holds included", () => {
    const { counters, raise, pass } = begun();
    for (let at = 0; at < 100; at++) raise(`old ${at}`, minute);
    raise("stays", 60 * minute, { id: "over", lasts: minute });
    pass(2 * minute);
    counters.sweep();
    expect(counters.size).toBe(1);
    expect(raise("stays", 60 * minute).totals).toEqual([1n]);
  });

  it("are kept as long as they were last told", () => {
    const { counters, raise, left, pass } = begun();
    raise("a", minute);
    counters.put("g", [{ key: "a", value: 1n, expiresAt: start + 10 * minute }]);
    pass(5 * minute);
    counters.sweep();
    expect(left("a")).toEqual(["a"]);
    // They are swept by the minute.
    pass(6 * minute);
    counters.sweep();
    expect(counters.size).toBe(0);
  });

  it("may be fewer from one moment to the next", () => {
    const { counters, told, raise } = begun();
    for (let at = 0; at < 10; at++) raise(`${at}`, minute);
    counters.most = 4;
    raise("new", minute);
    expect(counters.size).toBe(4);
    expect(told).toEqual([4]);
  });

  it("remember no more steps than there may be counters", () => {
    const { counters } = begun(2);
    const step = (once: string) => counters.settle("g", [{ key: "k", amount: 1n, expiresAt: start + minute }], once);
    expect(["a", "b", "a", "c", "b", "a"].map((once) => step(once)[0])).toEqual([1n, 2n, 1n, 3n, 2n, 4n]);
  });
});
