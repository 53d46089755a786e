import { expect, it } from "vitest";
import { z } from "zod";
import { defineCheck } from "./index.ts";
import { tryCheck } from "./testing.ts";

const endsWith = defineCheck({
  id: "default.endsWith",
  summary: "Passes text that ends with the suffix, with or without a full stop.",
  parameters: z.strictObject({ suffix: z.string().min(1), not: z.boolean().default(false) }),
  run({ text }, { suffix, not }) {
    const ends = text.endsWith(suffix) || text.endsWith(`${suffix}.`);
    return { verdict: ends !== not, data: { suffix, not } };
  },
});

const askedElsewhere = defineCheck({
  id: "team.answers",
  summary: "Passes answers only, and takes its time.",
  parameters: z.strictObject({}),
  targets: ["response"],
  window: 12,
  run: ({ target, text }) => Promise.resolve({ verdict: target === "response" && text !== "no" }),
});

tryCheck(endsWith, {
  passes: [
    { parameters: { suffix: "bye" }, text: "good bye", data: { not: false } },
    { parameters: { suffix: "bye" }, text: "good bye." },
    { parameters: { suffix: "bye", not: true }, text: "hello" },
  ],
  fails: [
    { parameters: { suffix: "bye" }, text: "hello" },
    { parameters: { suffix: "bye", not: true }, text: "bye" },
  ],
});

tryCheck(askedElsewhere, {
  passes: [{ parameters: {}, text: "yes" }],
  fails: [
    { parameters: {}, text: "no" },
    { parameters: {}, text: "yes", target: "request" },
  ],
});

it("is frozen and says what it is", () => {
  expect(endsWith.kind).toBe("check");
  expect(Object.isFrozen(endsWith)).toBe(true);
});

const shell = { summary: "Passes.", parameters: z.strictObject({}), run: () => ({ verdict: true }) };

it.each(["endsWith", "Default.endsWith", "default.", "default.ends with"])("refuses %j as an id", (id) => {
  expect(() => defineCheck({ ...shell, id })).toThrow(`"${id}" is not the id of a check`);
});

it.each([0, -1, 1.5])("refuses a window of %d", (window) => {
  expect(() => defineCheck({ ...shell, id: "team.it", window })).toThrow("it counts characters, from 1");
});

it.each<[object, string]>([
  [{ windowof: () => 3 }, 'unknown field "windowof"; did you mean "windowOf"?'],
  [{ parameters: undefined }, "parameters is missing: a z.object, empty where there are none"],
  [{ summary: "" }, "summary is missing"],
  [{ run: undefined }, "run is missing: the function that gives the verdict"],
])("says what is wrong with %o", (more, message) => {
  expect(() => defineCheck({ ...shell, id: "team.it", ...more } as never)).toThrow(`defineCheck: ${message}`);
});
