import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { environmentOf, moduleLoader, parseConfig } from "../../core/config/index.ts";
import { root } from "../../test/support/root.ts";

const path = `${root}config/gateway.yaml`;

const url = "https://prices.example/model-configs";

it.each<[Record<string, string>, object]>([
  [{}, { sources: [], proxy: { enabled: false } }],
  [{ MODEL_CONFIGS_PRICING_LOCAL_PATH: "" }, { sources: [] }],
  [{ MODEL_CONFIGS_PRICING_LOCAL_PATH: "/etc/prices" }, { sources: ["/etc/prices"] }],
  [{ MODEL_CONFIGS_PRICING_LOCAL_PATH: "/etc/prices,own/acme.json" }, { sources: ["/etc/prices", "own/acme.json"] }],
  [{ MODEL_CONFIGS_PROXY_URL: url }, { proxy: { enabled: false, url } }],
  [{ MODEL_CONFIGS_PROXY_URL: url, MODEL_CONFIGS_PROXY_FETCH_ENABLED: "true" }, { proxy: { enabled: true, url } }],
])("price lists are where the environment says: %j", async (variables, expected) => {
  const text = await readFile(path, "utf8");
  const { plugins } = await parseConfig(text, path, moduleLoader(), environmentOf(variables));
  expect(plugins.find(({ name }) => name === "pricing")?.options).toMatchObject(expected);
});
