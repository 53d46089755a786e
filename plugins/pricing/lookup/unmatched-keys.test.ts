import { expect, it } from "vitest";
import type { BoundProvider } from "../../../core/index.ts";
import { pricingOptions } from "../options.ts";
import { unmatchedKeys } from "./unmatched-keys.ts";

const vendors = new Set(["openai", "openrouter", "groq"]);
const providers = (stores = false, ...there: readonly (readonly [slug: string, name: string])[]) => ({
  all: () => there.map(([slug, name]) => ({ slug, name }) as BoundProvider),
  isVendor: (name: string) => vendors.has(name),
  stores,
});
const options = pricingOptions.parse({
  models: {
    "openai/gpt-x": { input: 1 },
    "openrouter/openai/gpt-x": { input: 1 },
    "@router/openai/gpt-x": { input: 1 },
    "@gone/m": { input: 1 },
    "acme/llama": { input: 1 },
    "gpt-x": { input: 1 },
  },
  workspaces: { w1: { models: { "groq/*": { input: 1 }, "openai/gpt-x": { input: 2 } } } },
});

it("keys of prices are named that are of nobody in the file, with what may have been meant", () => {
  expect(unmatchedKeys(options, providers(false, ["router", "openrouter"]))).toEqual([
    { key: "openai/gpt-x", reason: expect.stringContaining('"openrouter/openai/gpt-x" or "@router/openai/gpt-x"') },
    { key: "@gone/m", reason: 'there is no provider "@gone"; there are @router' },
    { key: "groq/*", reason: expect.stringContaining("no provider of the file is one of groq") },
  ]);
});

it("none is where a provider is of the vendor, or nobody knows who will be asked", () => {
  const all = providers(false, ["router", "openrouter"], ["gone", "openai"], ["g", "groq"]);
  expect(unmatchedKeys(options, all)).toEqual([]);
  expect(unmatchedKeys(options, providers(true, ["router", "openrouter"]))).toEqual([]);
  expect(unmatchedKeys(options, providers())).toEqual([]);
});
