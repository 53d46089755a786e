import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ModuleError, type ModuleLoader, moduleLoader } from "../config/index.ts";
import { definePlugin } from "../define-plugin.ts";
import { defineProvider, secret } from "../provider-kit/index.ts";
import { serviceToken } from "../service-token.ts";
import { plugins } from "./plugins.ts";

const limits = definePlugin({
  name: "limits",
  summary: "Refuses what is too much.",
  options: z.strictObject({ value: z.int().describe("How much is enough."), key: secret().optional() }),
  needs: [serviceToken("counters")],
  provides: [serviceToken("limits")],
  setup() {},
});
const nothing = () => undefined;
const format = definePlugin({
  name: "format-plain",
  summary: "Speaks plainly.",
  options: z.strictObject({}),
  setup(context) {
    const coding = { decodeRequest: nothing, encodeRequest: nothing, decodeResponse: nothing, encodeResponse: nothing };
    const reading = { readUsage: nothing, decodeError: nothing, drops: [] };
    context.format({ name: "plain", operation: "chat", upstream: { path: "/plain" }, ...coding, ...reading } as never);
  },
});
const acme = defineProvider({
  name: "acme",
  summary: "A vendor.",
  baseUrl: "https://acme.example/v1",
  operations: {
    chat: ["plain", { format: "other", path: ({ model }) => `/models/${model}:chat` }],
    embed: { format: "other", path: "/embed" },
  },
});
const unknown = () => Promise.reject(new ModuleError("needs a package that is not installed"));
const loader: ModuleLoader = {
  plugin: async (name) => [limits, format].find((each) => each.name === name) ?? unknown(),
  provider: async (name) => (name === "acme" ? acme : unknown()),
  knownPlugins: () => ["format-plain", "limits", "lost"],
  knownProviders: () => ["acme"],
};

it("lists what there is", async () => {
  expect(await plugins(undefined, {}, loader)).toEqual({
    exitCode: 0,
    err: "",
    out: `Plugins
  format-plain  Speaks plainly.
  limits        Refuses what is too much.
  lost          cannot be loaded: needs a package that is not installed

Providers
  acme  A vendor.
`,
  });
});

it.each<[string, string]>([
  ["./mine/acme.ts", "(provider)\nA vendor."],
  ["../limits.ts", "(plugin)\nRefuses what is too much."],
])("tells all about a module of one's own, by its path: %s", async (path, page) => {
  const own: ModuleLoader = {
    ...loader,
    plugin: async (name) => (name === "../limits.ts" ? limits : unknown()),
    provider: async (name) => (name === "./mine/acme.ts" ? acme : unknown()),
  };
  expect((await plugins(path, {}, own)).out).toContain(`${path} ${page}`);
  expect(await plugins("./lost.ts", {}, own)).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining("./lost.ts cannot be loaded: needs a package that is not installed"),
  });
});

it("tells all about a plugin", async () => {
  expect((await plugins("limits", {}, loader)).out).toBe(`limits (plugin)
Refuses what is too much.

Needs the services: counters

Provides the services: limits

Options:
  value  whole number  required  How much is enough.
  key    secret        -
`);
});

it("tells of a provider where it is and what it speaks", async () => {
  const { out } = await plugins("acme", {}, loader);
  expect(out).toContain(`Base URL: https://acme.example/v1

Operations:
  chat   plain  /plain
  chat   other  /models/MODEL:chat
  embed  other  /embed
`);
  expect(out).toContain("apiKey");
});

it("helps with a name that is not quite right", async () => {
  expect(await plugins("limit", {}, loader)).toMatchObject({
    exitCode: 1,
    err: 'There is no plugin, no provider and no check "limit"; did you mean "limits"?\n',
  });
  expect((await plugins("something-else", {}, loader)).err).toContain("sluice plugins lists them");
});

describe("for machines", () => {
  it("lists the same as data", async () => {
    const { out } = await plugins(undefined, { json: true }, loader);
    const names = z.array(z.looseObject({ name: z.string() }));
    const list = z.object({ plugins: names, providers: names }).parse(JSON.parse(out));
    expect(list.plugins.map(({ name }) => name)).toEqual(["format-plain", "limits", "lost"]);
  });

  it("tells the same of one", async () => {
    expect(JSON.parse((await plugins("acme", { json: true }, loader)).out)).toMatchObject({
      provider: { baseUrl: "https://acme.example/v1", operations: [{ operation: "chat", format: "plain" }, {}, {}] },
    });
  });
});

it("can tell of everything the product comes with", async () => {
  const { exitCode, out } = await plugins();
  expect(exitCode).toBe(0);
  expect(out).not.toContain("cannot be loaded");
});

it("lists the checks that plugins bring, and tells what one takes", async () => {
  const product = moduleLoader();
  expect((await plugins(undefined, {}, product)).out).toMatch(/\nChecks\n(?:.*\n)*? {2}default\.contains +Passes text/);
  const { out } = await plugins("default.contains", {}, product);
  expect(out).toMatch(/^default\.contains \(check\)\nPasses text.*\n\nOptions:\n {2}words +list of text/);
});
