import { CheckError, defineCheck, errorMessage, z } from "../../../../core/index.ts";
import { bareJson, fencedJson, hasFence, wholeJson } from "../../json-in-text.ts";
import { type SchemaCheck, schemaCheck } from "../../json-schema.ts";
import { unknownTypes } from "../../schema-types.ts";

const contact = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

export default defineCheck({
  id: "default.jsonSchema",
  summary: "Passes text that is or holds JSON which fits a schema.",
  parameters: z.object({
    schema: z.record(z.string(), z.unknown()).describe("A JSON Schema, draft 2020-12."),
    not: z.boolean().default(false).describe("Whether it must not fit."),
  }),
  refuse: ({ schema }) => mistakeIn(schema),
  doubt: ({ schema }) => unknownTypes(schema).next().value || undefined,
  targets: ["response"],
  measures: true,
  run({ text }, { schema, not }) {
    const candidates = candidatesIn(text);
    if (candidates.length === 0) return { verdict: false, data: { explanation: "There is no JSON in the text.", not } };
    const check = checkFor(schema);
    const judged = candidates.map(({ value }) => ({ value, mistakes: check(value) }));
    const best = judged.find(({ mistakes }) => mistakes.length === 0) ?? judged[0];
    const validationErrors = best?.mistakes ?? [];
    const fits = validationErrors.length === 0;
    const explanation = fits ? "The JSON fits the schema." : "The JSON does not fit the schema.";
    return { verdict: fits !== not, data: { matchedJson: best?.value, not, explanation, validationErrors } };
  },
  table: {
    passes: [
      {
        parameters: { schema: contact },
        text: '{"name":"Ann","of":{"a":{"b":1}}}',
        data: { matchedJson: { name: "Ann", of: { a: { b: 1 } } }, validationErrors: [], not: false },
      },
      { parameters: { schema: contact }, text: 'Here:\n```json\n{"id":1}\n```\nor\n```\n{"name":"Ann"}\n```' },
      { parameters: { schema: contact }, text: 'It is {"name":"A}nn","x":{}} I think.' },
      { parameters: { schema: contact, not: true }, text: '{"name":1}' },
      { parameters: { schema: { type: "string", pattern: "^(a+)+$" } }, text: '"aaaa"' },
      { parameters: { schema: { $ref: "#/$defs/n", $defs: { n: { type: "integer" } } } }, text: "4" },
      { parameters: { schema: { prefixItems: [{ type: "string" }], items: false } }, text: '["a"]' },
    ],
    fails: [
      {
        parameters: { schema: contact },
        text: '{"name":1}',
        data: { matchedJson: { name: 1 }, validationErrors: expectName() },
      },
      { parameters: { schema: contact }, text: "no JSON", data: { not: false } },
      { parameters: { schema: contact, not: true }, text: "no JSON" },
      { parameters: { schema: contact }, text: "" },
      { parameters: { schema: { pattern: "^(a+)+$" } }, text: `"${"a".repeat(50)}!"` },
      { parameters: { schema: { $ref: "#/nowhere" } }, text: "4", error: "no schema" },
      { parameters: { schema: { pattern: "(a)\\1" } }, text: "4", error: "no schema" },
      { parameters: { schema: { patternProperties: { "^(a+)+$": {} } } }, text: "4", error: "repeats a group" },
    ],
  },
});

/** The whole text, or else fenced blocks, or else objects that stand bare in it. */
function candidatesIn(text: string) {
  const whole = wholeJson(text);
  if (whole.length > 0) return whole;
  return hasFence(text) ? fencedJson(text) : bareJson(text);
}

function checkFor(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  try {
    return schemaCheck(schema);
  } catch (error) {
    throw new CheckError(mistakeOf(error));
  }
}

function mistakeIn(schema: Readonly<Record<string, unknown>>): string | undefined {
  try {
    schemaCheck(schema);
    return undefined;
  } catch (error) {
    return mistakeOf(error);
  }
}

const mistakeOf = (error: unknown): string => `schema is no schema that can be used: ${errorMessage(error)}`;

function expectName() {
  return [
    { path: "/", message: 'Property "name" does not match schema.' },
    { path: "/name", message: 'Instance type "number" is invalid. Expected "string".' },
  ];
}
