import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchemaOf } from "./json-schema.ts";
import { parseWith, rateLimits } from "./testing.ts";

const config = await parseWith(
  "plugins:\n  rate-limits: { value: 1 }\n  webhook: { url: 'https://a.example' }\n  auth-open:\nproviders:\n  eu: { use: openai }\n  acme: { apiKey: k }\n",
);
const schema = jsonSchemaOf(config);
const checker = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
const accepts = (document: unknown) => checker.safeParse(document).success;

it("is a JSON Schema of the file with the modules in use", () => {
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    additionalProperties: false,
    properties: { $schema: {}, server: {}, plugins: {}, providers: {} },
  });
  expect(schema).not.toHaveProperty("required");
});

const webhook = { url: "https://a.example" };

it.each([
  { what: "an empty file", document: {} },
  { what: "sections with nothing in them", document: { server: null, plugins: null, providers: null } },
  { what: "settings", document: { server: { port: 80, workers: "auto", headers: { prefix: "x-a-" } } } },
  { what: "a plugin with its options", document: { plugins: { "rate-limits": { value: 1, unit: "rph" } } } },
  { what: "a plugin with nothing", document: { plugins: { "auth-open": null } } },
  { what: "another plugin with use", document: { plugins: { mine: { use: "./mine.ts", any: 1 } } } },
  { what: "a provider", document: { providers: { acme: { apiKey: `\${ACME_KEY}` }, eu: { use: "openai" } } } },
  { what: "a reference for a number", document: { server: { port: `\${PORT:-8787}` } } },
  { what: "a reference for a word of a list", document: { plugins: { "rate-limits": { value: 1, unit: `\${U}` } } } },
  { what: "a reference for true or false", document: { plugins: { "rate-limits": { value: 1, dryRun: `\${D}` } } } },
  { what: "a reference for a URL", document: { plugins: { webhook: { url: `\${HOOK}` } } } },
  { what: "a reference for a list", document: { server: { trustedHosts: `\${HOSTS}` } } },
  { what: "one of several forms", document: { plugins: { webhook: { ...webhook, auth: { type: "none" } } } } },
])("accepts $what", ({ document }) => {
  expect(accepts(document)).toBe(true);
});

it.each([
  { what: "an unknown section", document: { pluginz: {} } },
  { what: "an unknown setting", document: { server: { prot: 1 } } },
  { what: "an unknown option", document: { plugins: { "rate-limits": { value: 1, valeu: 1 } } } },
  { what: "a missing option", document: { plugins: { "rate-limits": {} } } },
  { what: "nothing where options are missing", document: { plugins: { "rate-limits": null } } },
  { what: "another plugin without use", document: { plugins: { mine: {} } } },
  { what: "text for a number", document: { server: { port: "80" } } },
  { what: "a number out of bounds", document: { server: { port: 70_000 } } },
  { what: "a word that is not listed", document: { plugins: { "rate-limits": { value: 1, unit: "rmp" } } } },
  { what: "something else to use", document: { plugins: { mine: { use: 3 } } } },
])("refuses $what", ({ document }) => {
  expect(accepts(document)).toBe(false);
});

it.each<[string, z.ZodType, boolean]>([
  ["refuses what a plain object does not know", z.object({ most: z.int() }), false],
  ["and one that is refined", z.object({ most: z.int() }).refine(() => true), false],
  ["and one that is described", z.object({ most: z.int() }).describe("Limits."), false],
  ["takes what a loose one does not", z.looseObject({ most: z.int() }), true],
  ["and what a member of a union drops", z.union([z.string(), z.object({ most: z.int() })]), true],
])("%s, as the file does", async (_, inner, accepted) => {
  const options = z.object({
    one: inner,
    list: z.array(inner).optional(),
    map: z.record(z.string(), inner).optional(),
  });
  const plugin = { name: "own", plugin: { ...rateLimits, options } };
  const file = z.fromJSONSchema(
    jsonSchemaOf({ plugins: [plugin], providers: [] }) as Parameters<typeof z.fromJSONSchema>[0],
  );
  const takes = (given: object) => file.safeParse({ plugins: { own: { one: { most: 1 }, ...given } } }).success;
  const stray = { most: 1, mots: 2 };
  expect(takes({ list: [{ most: 1 }], map: { a: { most: 1 } } })).toBe(true);
  expect(takes({ one: stray })).toBe(accepted);
  expect(takes({ list: [stray] })).toBe(accepted);
  expect(takes({ map: { a: stray } })).toBe(accepted);
  expect(takes({ other: 1 })).toBe(false);
});

describe("what editors show", () => {
  const strings = JSON.stringify(schema);

  it.each(["Requests allowed per window.", "Stands for webhook.", "Where to call.", "The port to listen on"])(
    "has the description %s",
    (text) => {
      expect(strings).toContain(text);
    },
  );

  it("describes every setting of the server", () => {
    const undescribed = (name: string, value: unknown): string[] => {
      if (typeof value !== "object" || value === null) return [];
      const properties = "properties" in value && typeof value.properties === "object" ? (value.properties ?? {}) : {};
      const members = "anyOf" in value && Array.isArray(value.anyOf) ? value.anyOf : [];
      return [
        ...("description" in value || name === "" ? [] : [name]),
        ...Object.entries(properties).flatMap(([key, inner]) => undescribed(`${name}.${key}`, inner)),
        ...members.flatMap((member: unknown) => undescribed("", member)),
      ];
    };
    expect(undescribed("", jsonSchemaOf({ plugins: [], providers: [] }))).toEqual([]);
  });
});

it("keeps schemas that are made of themselves apart from each other", () => {
  interface Tree {
    name: string;
    below?: Tree[] | undefined;
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.strictObject({ name: z.string(), below: z.array(tree).optional() }));
  const plugin = (name: string) => ({ name, plugin: { ...rateLimits, options: z.strictObject({ tree }) } });
  const both = jsonSchemaOf({ plugins: [plugin("one"), plugin("two")], providers: [] });
  const check = z.fromJSONSchema(both as Parameters<typeof z.fromJSONSchema>[0]);
  const withTree = (name: unknown) => ({ plugins: { one: { tree: { name: "a", below: [{ name }] } } } });
  expect(check.safeParse(withTree("b")).success).toBe(true);
  expect(check.safeParse(withTree(1)).success).toBe(false);
});
