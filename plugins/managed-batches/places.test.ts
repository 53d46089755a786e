import { describe, expect, it } from "vitest";
import { Places, turn } from "./places.ts";

/** Places that are all taken, by tenants in this order. */
function full(...tenants: readonly string[]) {
  const time = { now: 1 };
  const places = new Places(tenants.length, () => time.now);
  const taken = tenants.map((tenant) => places.take(tenant, true));
  return { places, taken, time, over: () => taken.flatMap(({ tenant, isOver }) => (isOver ? [tenant] : [])) };
}

const waiting = (...counts: readonly (readonly [string, number])[]) => new Map(counts);

describe("places", () => {
  it("are given up at once by who has two more than somebody who waits, and no more than it takes", () => {
    const { places, over } = full("a", "a", "a", "b");
    places.makeRoom(waiting(["a", 9], ["b", 9], ["c", 9]), []);
    expect(over()).toEqual(["a"]);
    places.makeRoom(waiting(["a", 9], ["b", 9], ["c", 9]), []);
    expect(over()).toEqual(["a"]);
  });

  it("go from hand to hand, turn by turn, where there are fewer than tenants", () => {
    const { places, taken, time, over } = full("a");
    places.makeRoom(waiting(["b", 1]), []);
    expect(over()).toEqual([]);
    time.now += turn;
    places.makeRoom(waiting(["b", 1]), []);
    expect(over()).toEqual(["a"]);
    for (const place of taken) places.leave(place);
    expect(places.next(["a", "b"])).toBe("b");
    time.now++;
    places.leave(places.take("b", true));
    expect(places.next(["b", "a"])).toBe("a");
  });

  it("stay whose they are while nobody else waits, and where nothing can be broken off", () => {
    const { places, time, over } = full("a", "a");
    time.now += turn;
    places.makeRoom(waiting(["a", 9]), []);
    expect(over()).toEqual([]);
    const fixed = new Places(1, () => time.now);
    const place = fixed.take("a", false);
    time.now += turn;
    fixed.makeRoom(waiting(["b", 1]), ["b"]);
    expect(place.isOver).toBe(false);
  });

  it("go, after a turn, to what only has to be ended, the same tenant's too", () => {
    const { places, time, over } = full("a", "a");
    places.makeRoom(waiting(), ["a"]);
    expect(over()).toEqual([]);
    time.now += turn;
    places.makeRoom(waiting(), ["a"]);
    expect(over()).toEqual(["a"]);
  });
});
