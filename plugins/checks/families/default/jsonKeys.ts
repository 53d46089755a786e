import { defineCheck, excerptOf, z } from "../../../../core/index.ts";
import { holds } from "../../any-all-none.ts";
import { bareJson, fencedJson, wholeJson } from "../../json-in-text.ts";

export default defineCheck({
  id: "default.jsonKeys",
  summary: "Passes text that holds a JSON object with any, all or none of the keys.",
  parameters: z.object({
    keys: z.array(z.string()).min(1).describe("Keys of the object itself, not of objects in it."),
    operator: z.enum(["any", "all", "none"]).default("any").describe("Which of them have to be there."),
  }),
  targets: ["response"],
  measures: true,
  run({ text }, { keys, operator }) {
    const judged = [...wholeJson(text), ...fencedJson(text), ...bareJson(text)].flatMap(({ value }) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
      const presentKeys = keys.filter((key) => Object.hasOwn(value, key));
      const missingKeys = keys.filter((key) => !Object.hasOwn(value, key));
      const verdict = holds(operator, presentKeys.length, missingKeys.length);
      return [{ matchedJson: value, verdict, presentKeys, missingKeys }];
    });
    const textExcerpt = excerptOf(text);
    const most = [...judged].sort((a, b) => b.presentKeys.length - a.presentKeys.length)[0];
    const best = judged.find(({ verdict }) => verdict) ?? most;
    if (!best) {
      const explanation = "There is no JSON object in the text.";
      return { verdict: false, data: { explanation, requiredKeys: keys, operator, textExcerpt } };
    }
    const explanation = `${best.presentKeys.length} of ${keys.length} keys are there; ${operator} must be.`;
    return { verdict: best.verdict, data: { ...best, explanation, operator, textExcerpt } };
  },
  table: {
    passes: [
      {
        parameters: { keys: ["a", "b"], operator: "any" },
        text: '{"a":{"c":1}}',
        data: { matchedJson: { a: { c: 1 } }, verdict: true, presentKeys: ["a"], missingKeys: ["b"], operator: "any" },
      },
      { parameters: { keys: ["a", "b"], operator: "all" }, text: '```json\n{"a":1}\n``` and {"a":1,"b":2}' },
      { parameters: { keys: ["c"], operator: "none" }, text: '{"a":{"c":1}}' },
      { parameters: { keys: ["a"] }, text: 'It is {"a":{"b":{}}}.' },
    ],
    fails: [
      { parameters: { keys: ["c"], operator: "any" }, text: '{"a":{"c":1}}' },
      {
        parameters: { keys: ["a", "b"], operator: "all" },
        text: '{"x":1} {"a":1}',
        data: { presentKeys: ["a"], missingKeys: ["b"] },
      },
      { parameters: { keys: ["a"], operator: "none" }, text: '{"a":null}' },
      { parameters: { keys: ["toString"] }, text: "{}" },
      { parameters: { keys: ["a"] }, text: "a [1]", data: { requiredKeys: ["a"], operator: "any" } },
      { parameters: { keys: ["a"], operator: "none" }, text: "" },
    ],
  },
});
