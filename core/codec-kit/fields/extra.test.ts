import { expect, it } from "vitest";
import { extraIn, leftovers, ownFields, reportForeign } from "./extra.ts";

const extra = { format: "acme", fields: { safetySettings: 1, seed_2: 0, audio: null, annotations: [] } };

it("keeps what nobody reads, and nothing when there is nothing", () => {
  expect(leftovers({ a: 1, b: null, c: undefined, d: 0 }, new Set(["a"]))).toEqual({ d: 0 });
  expect(leftovers({ a: 1, b: null }, new Set(["a"]))).toBeUndefined();
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

it.each<[string, string, unknown, boolean]>([
  ["openai-chat", "store", false, true],
  ["openai-chat", "store", true, false],
  ["openai-chat", "modalities", ["text"], true],
  ["openai-chat", "modalities", ["text", "audio"], false],
  ["anthropic-messages", "citations", { enabled: false }, true],
  ["anthropic-messages", "citations", { enabled: true }, false],
  ["anthropic-messages", "store", false, false],
  ["gemini", "generationConfig", { responseModalities: ["TEXT"], thinkingConfig: { includeThoughts: false } }, true],
  ["gemini", "generationConfig", { responseModalities: ["TEXT"], enableAffectiveDialog: true }, false],
  ["gemini", "generationConfig", {}, false],
  ["bedrock-converse", "document", { citations: { enabled: false }, context: null }, true],
  ["bedrock-converse", "guardContent", {}, false],
  ["acme", "store", false, false],
])("loses nothing with what everybody does anyway: %s, %s: %j", (format, name, value, isUsual) => {
  const reported: string[] = [];
  reportForeign("other", { format, fields: { [name]: value } }, "", (lost) => reported.push(lost));
  expect(reported).toHaveLength(isUsual ? 0 : 1);
});
