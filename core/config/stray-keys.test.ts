import { expect, it } from "vitest";
import { z } from "zod";
import { environmentOf } from "../environment.ts";
import { loaderWith } from "../test-kit/loader-with.ts";
import { ConfigError } from "./mistakes.ts";
import { parseConfig } from "./read.ts";
import { fakePlugin } from "./testing.ts";

const limits = { most: z.int().default(1), unit: z.string().optional() };

/** What a file with these options of a plugin is refused for, or what the plugin is given. */
async function read(schema: z.ZodType, options: unknown): Promise<unknown> {
  const loader = loaderWith({ plugins: [fakePlugin("own", schema)], providers: [] });
  const source = JSON.stringify({ plugins: { own: options } });
  try {
    return (await parseConfig(source, "gateway.json", loader, environmentOf({}))).plugins[0]?.options;
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
}

const unknown = (path: string) => [`${path}: unknown option "mots"; did you mean "most"?`];

it.each<[string, z.ZodType, unknown, string]>([
  ["at the top", z.object(limits), { mots: 2 }, "plugins.own"],
  ["beside `use`", z.object(limits), { use: "own", mots: 2 }, "plugins.own"],
  ["of an object that is refined", z.object(limits).refine(() => true), { mots: 2 }, "plugins.own"],
  ["of a nested object", z.object({ a: z.object(limits).default({ most: 1 }) }), { a: { mots: 2 } }, "plugins.own.a"],
  ["within a strict one", z.strictObject({ a: z.object(limits).optional() }), { a: { mots: 2 } }, "plugins.own.a"],
  ["of an entry of a list", z.object({ a: z.array(z.object(limits)) }), { a: [{}, { mots: 2 }] }, "plugins.own.a[1]"],
  ["of a value of a map", z.record(z.string(), z.object(limits)), { x: { mots: 2 } }, "plugins.own.x"],
  ["within a loose one", z.looseObject({ a: z.object(limits) }), { a: { mots: 2 } }, "plugins.own.a"],
])("tells of a key that nobody knows %s", async (_, schema, options, path) => {
  expect(await read(schema, options)).toEqual(unknown(path));
});

it("tells of it along with everything else", async () => {
  expect(await read(z.object(limits), { mots: 2, unit: 3 })).toEqual([
    ...unknown("plugins.own"),
    "plugins.own.unit: expected text, found the number 3; put it in quotes",
  ]);
});

it.each<[string, z.ZodType]>([
  ["a loose object", z.looseObject(limits)],
  ["one with a catchall", z.object(limits).catchall(z.int())],
  ["a record", z.record(z.string(), z.int())],
  ["a union", z.union([z.object({ ...limits, mode: z.literal("a") }), z.object(limits)])],
  ["an intersection", z.intersection(z.object(limits), z.looseObject({}))],
  ["a transform", z.object(limits).transform((value) => value)],
  ["what is changed before it is read", z.preprocess((value) => value, z.object(limits))],
  ["what is made of itself", z.lazy(() => z.object(limits))],
])("leaves %s to its author", async (_, schema) => {
  expect(await read(schema, { mots: 2 })).toEqual(schema.parse({ mots: 2 }));
});
