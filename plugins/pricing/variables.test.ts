import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { environmentOf, moduleLoader, parseConfig } from "../../core/config/index.ts";
import { root } from "../../test/support/root.ts";

const path = `${root}config/gateway.yaml`;

it.each<[Record<string, string>, readonly string[]]>([
  [{}, []],
  [{ MODEL_CONFIGS_PRICING_LOCAL_PATH: "" }, []],
  [{ MODEL_CONFIGS_PRICING_LOCAL_PATH: "/etc/prices" }, ["/etc/prices"]],
  [{ MODEL_CONFIGS_PRICING_LOCAL_PATH: "/etc/prices,own/acme.json" }, ["/etc/prices", "own/acme.json"]],
])("price lists are where the environment says: %j", async (variables, sources) => {
  const text = await readFile(path, "utf8");
  const { plugins } = await parseConfig(text, path, moduleLoader(), environmentOf(variables));
  expect(plugins.find(({ name }) => name === "pricing")?.options).toMatchObject({ sources });
});
