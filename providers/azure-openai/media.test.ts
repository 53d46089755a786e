import { expect, it } from "vitest";
import { boundProvider } from "../../core/conformance/testing.ts";
import azure from "./index.ts";

const deployments = [
  { deploymentId: "pictures", alias: "art", model: "gpt-image-1" },
  { deploymentId: "old", model: "dall-e-3", isDefault: true },
];

it.each<[string, object, string, boolean]>([
  ["a deployment named after its model", {}, "gpt-image-1", false],
  ["one named after another", {}, "dall-e-3", true],
  ["the model of a header", { deploymentId: "d", modelName: "gpt-image-1.5" }, "whatever", false],
  ["the one deployment that is called", { deploymentId: "pictures", deployments }, "m", false],
  ["an alias, with v1", { deployments }, "art", false],
  ["an alias, with a date", { deployments, apiVersion: "2025-04-01-preview" }, "art", false],
  ["the default one, with v1", { deployments }, "m", true],
  ["the default one, with a date", { deployments, apiVersion: "2025-04-01-preview" }, "m", true],
])("asks %s for a form of images, where its model takes one", async (_, options, model, told) => {
  const { operations } = await boundProvider(azure, { apiKey: "key", resourceName: "r1", ...options });
  const [spec] = operations.image ?? [];
  const wire = { model: spec?.model?.(model) ?? model, prompt: "a cat", response_format: "b64_json" };
  expect("response_format" in (spec?.rewrite?.apply(wire) ?? {})).toBe(told);
});
