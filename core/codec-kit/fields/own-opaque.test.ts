import { describe, expect, it } from "vitest";
import { carriedOpaque } from "./own-opaque.ts";

const carried = (format: string, value: unknown, isElsewhere?: () => boolean) => {
  const dropped: string[] = [];
  const wire = carriedOpaque({ type: "opaque", format, value }, "a", (name) => dropped.push(name), isElsewhere);
  return [wire, ...dropped];
};

describe("a part that only one format has", () => {
  it("is written as it is for a vendor of its own", () => {
    const value = { type: "found" };
    expect(carried("a", value)[0]).toBe(value);
  });

  it.each<[string, string, unknown, string]>([
    ["of another format, by its type", "b", { type: "found", cachePoint: 1 }, "messages.found"],
    ["without a type, by its field", "b", { cachePoint: { type: "default" } }, "messages.cache_point"],
    ["that is no object", "a", "found", "messages.opaque"],
    ["that is nothing", "b", {}, "messages.opaque"],
  ])("is reported where it is one %s", (_, format, value, name) => {
    expect(carried(format, value)).toEqual([undefined, name]);
  });

  it("is reported where it is another vendor's", () => {
    expect(carried("a", { type: "ran" }, () => true)).toEqual([undefined, "messages.ran"]);
  });
});
