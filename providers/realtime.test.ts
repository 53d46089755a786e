import { describe, expect, it } from "vitest";
import { boundProvider } from "../core/conformance/testing.ts";
import { addressOf } from "../core/pipeline/attempt/upstream-call.ts";
import type { ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import anthropic from "./anthropic/index.ts";
import azureAi from "./azure-ai/index.ts";
import azureOpenAi from "./azure-openai/index.ts";
import openai from "./openai.ts";
import xai from "./x-ai/index.ts";

const r1 = "https://r1.openai.azure.com/openai";
const dated = { resourceName: "r1", deploymentId: "d1", apiVersion: "2024-10-01-preview" };
const listed = {
  resourceName: "r1",
  apiVersion: "2025-04-01-preview",
  deployments: [
    { deploymentId: "d-voice", model: "gpt-realtime" },
    { deploymentId: "d-new", alias: "new", apiVersion: "v1" },
  ],
};
const foundry = "https://r.services.ai.azure.com";

/** Where a provider's realtime sockets are, for a client's query. */
async function placeOf(definition: ProviderDefinition, options: object, asked: string): Promise<string | undefined> {
  const provider = await boundProvider(definition, { apiKey: "key", ...options });
  const place = provider.sockets?.realtime;
  if (place === undefined) return undefined;
  const query = new URLSearchParams(asked);
  const path = typeof place === "string" ? place : place(query);
  const { origin, path: whole } = addressOf(provider, `${path}?${query}`);
  return origin + whole;
}

describe("realtime sockets", () => {
  // providers.md sections 10.1 and 11
  it.each<[string, ProviderDefinition, object, string, string | undefined]>([
    ["OpenAI", openai, {}, "model=gpt-realtime&a=b", "https://api.openai.com/v1/realtime?model=gpt-realtime&a=b"],
    ["xAI", xai, {}, "model=grok", "https://api.x.ai/v1/realtime?model=grok"],
    [
      "a deployment, with a dated version",
      azureOpenAi,
      dated,
      "model=m&a=b",
      `${r1}/realtime?a=b&deployment=d1&api-version=2024-10-01-preview`,
    ],
    [
      "a deployment, with the client's own version",
      azureOpenAi,
      dated,
      "api-version=2025-01-01&deployment=other",
      `${r1}/realtime?api-version=2025-01-01&deployment=d1`,
    ],
    ["a deployment, with v1", azureOpenAi, { ...dated, apiVersion: "v1" }, "model=m", `${r1}/v1/realtime?model=d1`],
    [
      "the deployment of a model",
      azureOpenAi,
      listed,
      "model=gpt-realtime",
      `${r1}/realtime?deployment=d-voice&api-version=2025-04-01-preview`,
    ],
    ["the deployment of an alias", azureOpenAi, listed, "model=new", `${r1}/v1/realtime?model=d-new`],
    [
      "a deployment that the client names",
      azureOpenAi,
      { resourceName: "r1" },
      "deployment=d9",
      `${r1}/v1/realtime?model=d9`,
    ],
    [
      "Foundry",
      azureAi,
      { baseUrl: `${foundry}/models`, apiVersion: "2024-05-01-preview" },
      "model=m",
      `${foundry}/models/realtime?model=m&api-version=2024-05-01-preview`,
    ],
    ["Foundry's Claude", azureAi, { baseUrl: `${foundry}/anthropic` }, "model=m", undefined],
    ["Anthropic", anthropic, {}, "model=m", undefined],
  ])("are at the right place: %s", async (_, definition, options, asked, url) =>
    expect(await placeOf(definition, options, asked)).toBe(url),
  );
});
