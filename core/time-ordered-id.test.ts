import { describe, expect, it } from "vitest";
import { timeOrderedId, withoutDashes } from "./time-ordered-id.ts";

describe("an id in the order of time", () => {
  it("is a UUID of version 7 that begins with its moment", () => {
    const id = timeOrderedId(0x0192_3456_789a);
    expect(id).toMatch(/^01923456-789a-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("is of now unless said otherwise, and stands behind all that are older", () => {
    const before = Date.now();
    const id = timeOrderedId();
    const made = Number.parseInt(id.slice(0, 13).replace("-", ""), 16);
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
    expect(timeOrderedId(1_000) < timeOrderedId(1_001)).toBe(true);
    expect(timeOrderedId(Date.parse("2082-09-02")) > id).toBe(true);
  });

  it("is written without its dashes, too", () => {
    const id = timeOrderedId();
    expect(withoutDashes(id)).toBe(id.replaceAll("-", ""));
  });

  it("comes once, also within a millisecond", () => {
    const ids = Array.from({ length: 10_000 }, () => timeOrderedId(1));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^00000000-0001-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual([]);
    // Every digit that is chance is any of the sixteen, and that of the variant one of four.
    for (const at of [15, 16, 17, 19, 20, 21, 22, ...Array.from({ length: 12 }, (_, index) => 24 + index)])
      expect(new Set(ids.map((id) => id.charAt(at))).size).toBe(at === 19 ? 4 : 16);
  });
});
