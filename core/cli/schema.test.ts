import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { environmentOf } from "../config/index.ts";
import { schema } from "./schema.ts";
import { temporaryFolder } from "./testing.ts";

const surroundings = { environment: environmentOf({}) };

const schemaFor = (yaml: string) =>
  schema(join(temporaryFolder({ "gateway.yaml": yaml }), "gateway.yaml"), {}, surroundings);

const keysOf = (text: string, section: string): string[] => {
  const shape = z.object({
    properties: z.record(z.string(), z.object({ anyOf: z.array(z.looseObject({})).optional() })),
  });
  const [map] = shape.parse(JSON.parse(text)).properties[section]?.anyOf ?? [];
  return Object.keys(z.object({ properties: z.record(z.string(), z.unknown()) }).parse(map).properties);
};

it("is for exactly the modules in use", async () => {
  const { exitCode, out } = await schemaFor("plugins: { auth-open: {}, mine: { use: proxy } }\nproviders: {}\n");
  expect(exitCode).toBe(0);
  expect(keysOf(out, "plugins")).toEqual(["auth-open", "mine"]);
  expect(keysOf(out, "providers")).toEqual([]);
});

it("is there while options are wrong and variables unset", async () => {
  const { exitCode, out } = await schemaFor("plugins:\n  auth-open: { allowRemte: ${UNSET} }\nserver: { port: x }\n");
  expect(exitCode).toBe(0);
  expect(keysOf(out, "plugins")).toEqual(["auth-open"]);
});

it("names the module that cannot be loaded", async () => {
  const { exitCode, err, out } = await schemaFor("plugins: { auth-open: {}, mine: { use: ./mine.ts } }\n");
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
  expect(err).toMatch(/gateway\.yaml:1:\d+ plugins\.mine.*: file not found: .*mine\.ts/);
});

it("tells that there is no file", async () => {
  expect(await schema("nowhere.yaml", {}, surroundings)).toMatchObject({
    exitCode: 1,
    err: "nowhere.yaml:1:1 file not found\n",
  });
});

it("is for everything there is when asked", async () => {
  const { exitCode, out } = await schema("nowhere.yaml", { all: true }, surroundings);
  expect(exitCode).toBe(0);
  expect(keysOf(out, "plugins")).toEqual(expect.arrayContaining(["auth-open", "auth-keys", "proxy", "routing"]));
});

it("is committed for the default config, which names it (npm run schema writes it)", async () => {
  const file = "config/gateway.yaml";
  const { out } = await schema(file, {}, surroundings);
  expect(readFileSync(file, "utf8")).toMatch(/^# yaml-language-server: \$schema=\.\/gateway\.schema\.json\n/);
  expect(readFileSync("config/gateway.schema.json", "utf8") === out, "run: npm run schema").toBe(true);
});
