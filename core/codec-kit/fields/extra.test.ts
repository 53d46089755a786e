import { expect, it } from "vitest";
import { extraIn, leftovers, ownFields, reportForeign } from "./extra.ts";
import { declareUsual } from "./usual-values.ts";

const extra = { format: "acme", fields: { safetySettings: 1, seed_2: 0, audio: null, annotations: [] } };

it("keeps what nobody reads, and nothing when there is nothing", () => {
  expect(leftovers({ a: 1, b: null, c: undefined, d: 0 }, new Set(["a"]))).toEqual({ d: 0 });
  expect(leftovers({ a: 1, b: null }, new Set(["a"]))).toBeUndefined();
  const own = leftovers(JSON.parse('{"__proto__":{"a":1},"b":2}'), new Set(["b"]));
  expect(JSON.stringify(own)).toBe('{"__proto__":{"a":1}}');
  expect(extraIn("acme", { a: 1 })).toEqual({ extra: { format: "acme", fields: { a: 1 } } });
  expect(extraIn("acme", {})).toEqual({});
  expect(extraIn("acme", undefined)).toEqual({});
});

it("gives fields back to their own format, and reports to others those that say something, under public names", () => {
  const reported: string[] = [];
  const report = (name: string) => reported.push(name);
  expect(ownFields("acme", extra)).toBe(extra.fields);
  expect(ownFields("other", extra)).toEqual({});
  reportForeign("acme", extra, "tools.", report);
  reportForeign("acme", undefined, "tools.", report);
  expect(reported).toEqual([]);
  reportForeign("other", extra, "tools.", report);
  expect(reported).toEqual(["tools.safety_settings", "tools.seed_2"]);
});

it.each<[string, unknown, boolean]>([
  ["store", false, true],
  ["store", true, false],
  ["modalities", ["text"], true],
  ["modalities", ["text", "audio"], false],
  ["labels", {}, true],
  ["marks", {}, false],
  ["citations", { enabled: false, style: null }, true],
  ["citations", { enabled: false, style: "short" }, false],
  ["citations", { enabled: true }, false],
  ["search", { place: null }, false],
])("loses nothing with what everybody does anyway: %s: %j", (name, value, isUsual) => {
  declareUsual("usual", {
    store: ["false"],
    modalities: ['["text"]'],
    labels: ["{}"],
    "citations.enabled": ["false"],
  });
  const lostOf = (format: string) => {
    const lost: string[] = [];
    reportForeign("other", { format, fields: { [name]: value } }, "", (one) => lost.push(one));
    return lost;
  };
  expect(lostOf("usual")).toEqual(isUsual ? [] : [name]);
  expect(lostOf("undeclared")).toEqual([name]);
});
