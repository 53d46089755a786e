import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { environmentOf, moduleLoader, parseConfig } from "../../core/config/index.ts";
import type { Ask } from "../../core/index.ts";
import { startFreeGateway } from "../../test/support/gateway.ts";
import { root } from "../../test/support/root.ts";
import { CapabilityLists, type ListsInput } from "./lists.ts";

const chat = { type: { primary: "chat", supported: ["tools"] } };
const params = [{ key: "temperature", defaultValue: 1, minValue: 0, maxValue: 2 }];

function inFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder({});
  mkdirSync(join(folder, "lists"));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, "lists", name), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}

describe("GET /model-configs/general", () => {
  it("answers what the list of the provider says, with what its default says, to anybody", async () => {
    const folder = inFolder({
      "openai.json": { name: "OpenAI", default: { params }, "gpt-x": chat, "org/model": { ...chat, params: [] } },
    });
    const gateway = await startFreeGateway(
      JSON.stringify({
        plugins: {
          "auth-keys": { keys: [{ name: "a", key: "a-key-0123456789abcdef" }] },
          "model-capabilities": { sources: ["lists"] },
          proxy: {},
        },
        providers: { simulator: {} },
      }),
      {},
      folder,
    );
    const get = async (path: string) => {
      const response = await fetch(`${gateway.url}${path}`);
      return [response.status, await response.json()];
    };
    try {
      for (const base of ["", "/v1", "/v2"])
        expect(await get(`${base}/model-configs/general/openai/gpt-x`)).toEqual([200, { params, ...chat }]);
      for (const model of ["org/model", "org%2Fmodel"])
        expect(await get(`/model-configs/general/openai/${model}`)).toEqual([200, { ...chat, params: [] }]);
      for (const path of [
        "openai/gpt-y",
        "openai/default",
        "openai/name",
        "openai",
        "anthropic/m",
        "nobody/m",
        "..%2Fx/m",
      ])
        expect(await get(`/model-configs/general/${path}`), path).toEqual([404, { error: "Model not found" }]);
    } finally {
      await gateway.shutdown(0, 0);
    }
  });
});

const url = "https://lists.example/model-configs";

it.each<[Record<string, string>, object]>([
  [{}, { sources: [], proxy: { enabled: false } }],
  [{ MODEL_CONFIGS_CAPABILITIES_LOCAL_PATH: "/etc/a,own/acme.json" }, { sources: ["/etc/a", "own/acme.json"] }],
  [{ MODEL_CONFIGS_PROXY_URL: url, MODEL_CONFIGS_PROXY_FETCH_ENABLED: "true" }, { proxy: { enabled: true, url } }],
])("the lists are where the environment says: %j", async (variables, expected) => {
  const path = `${root}config/gateway.yaml`;
  const { plugins } = await parseConfig(await readFile(path, "utf8"), path, moduleLoader(), environmentOf(variables));
  expect(plugins.find(({ name }) => name === "model-capabilities")?.options).toMatchObject(expected);
});

describe("lists of what models can do", () => {
  const clock = { now: 0 };
  const warnings: string[] = [];
  const open = (more: Partial<ListsInput>) =>
    new CapabilityLists({
      sources: [],
      refresh: 1000,
      folder: "/",
      ask: () => Promise.reject(new Error("nobody is asked")),
      log: { warn: (message: string) => void warnings.push(message) },
      now: () => clock.now,
      ...more,
    });

  it("are the address's before those of files, and asked for again after a while", async () => {
    const asked: string[] = [];
    const answers = ['{"a":{"from":"address"}}', "down", '{"a":{"from":"later"}}'];
    const ask: Ask = async ({ url }) => {
      asked.push(url);
      const text = answers.shift() ?? "";
      return { status: text === "down" ? 500 : 200, headers: {}, text } as Awaited<ReturnType<Ask>>;
    };
    const folder = inFolder({ "acme.json": { a: { from: "file" }, b: { from: "file" } } });
    const lists = open({ address: "https://lists.example/", sources: ["lists/acme.json", "lists"], folder, ask });
    const seen = async () => {
      const list = await lists.of("acme");
      return [list.get("a")?.from, list.get("b")?.from];
    };
    expect([await seen(), await seen()]).toEqual([
      ["address", "file"],
      ["address", "file"],
    ]);
    expect(asked).toEqual(["https://lists.example/general/acme"]);
    clock.now += 1000;
    expect(await seen()).toEqual(["address", "file"]);
    expect(warnings).toHaveLength(1);
    clock.now += 1000;
    expect(await seen()).toEqual(["later", "file"]);
  });

  it("that are none do no harm to the others", async () => {
    warnings.length = 0;
    const folder = inFolder({ "acme.json": "[]", "other.json": "{" });
    const lists = open({ sources: ["missing", "lists"], folder });
    for (const vendor of ["acme", "other", "nobody"]) expect((await lists.of(vendor)).size).toBe(0);
    expect(warnings).toHaveLength(5);
  });
});
