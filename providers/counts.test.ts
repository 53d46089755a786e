import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { bindProvider } from "../core/provider-kit/bind.ts";
import type { CommonOptions, ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import anthropic from "./anthropic/index.ts";
import azureAi from "./azure-ai/index.ts";
import bedrock from "./bedrock/index.ts";
import mantle from "./bedrock-mantle/index.ts";
import claudePlatform from "./claude-platform-aws.ts";
import google from "./google.ts";
import moonshot from "./moonshot/index.ts";
import vertex from "./vertex-ai/index.ts";
import zai from "./z-ai.ts";
import zhipu from "./zhipu.ts";

const { formats } = await builtInFormats();

const given = new Map<ProviderDefinition, Record<string, unknown>>([
  [azureAi, { baseUrl: "https://r1.services.ai.azure.com/anthropic" }],
  [vertex, { region: "us-central1", projectId: "p" }],
]);

/** What is used to count for a model, as the road chooses it for clients of no format among them. */
function specFor(definition: ProviderDefinition, model: string) {
  const options = definition.options.parse({ apiKey: "k", ...given.get(definition) });
  const provider = bindProvider({
    slug: definition.name,
    definition,
    options: options as CommonOptions & Record<string, unknown>,
    formats,
  });
  const spec = provider.operations.count?.find(({ serves }) => !serves || serves(model));
  if (!spec) throw new Error(`${definition.name} does not count for ${model}`);
  return spec;
}

const place = "/v1/projects/p/locations/us-central1/publishers";

const mantleUrl = "https://bedrock-mantle.us-east-1.api.aws";
const account = "arn:aws:bedrock:us-east-1:111122223333";
const foundation = "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-x";
const imported = `${account}:imported-model/us.abc`;

describe("counting tokens", () => {
  it.each<[string, ProviderDefinition, string, string]>([
    ["anthropic", anthropic, "m", "/messages/count_tokens"],
    ["azure-ai", azureAi, "m", "/v1/messages/count_tokens"],
    ["moonshot", moonshot, "m", "/v1/tokenizers/estimate-token-count"],
    ["z-ai", zai, "m", "/tokenizer"],
    ["zhipu", zhipu, "m", "/tokenizer"],
    ["claude-platform-aws", claudePlatform, "m", "/messages/count_tokens"],
    ["google", google, "m", "/v1beta/models/m:countTokens"],
    ["vertex-ai", vertex, "gemini-2.5-pro", `${place}/google/models/gemini-2.5-pro:countTokens`],
    ["vertex-ai", vertex, "anthropic.claude-x", `${place}/anthropic/models/count-tokens:rawPredict`],
    ["bedrock", bedrock, "us.anthropic.claude-x", "/model/anthropic.claude-x/count-tokens"],
    ["bedrock-mantle", mantle, "anthropic.claude-x", `${mantleUrl}/anthropic/v1/messages/count_tokens`],
    ["bedrock", bedrock, "global.amazon.nova-2-lite-v1:0", "/model/amazon.nova-2-lite-v1%3A0/count-tokens"],
    [
      "bedrock",
      bedrock,
      `${account}:inference-profile/us-gov.anthropic.claude-x`,
      "/model/anthropic.claude-x/count-tokens",
    ],
    ["bedrock", bedrock, foundation, `/model/${encodeURIComponent(foundation)}/count-tokens`],
    ["bedrock", bedrock, imported, `/model/${encodeURIComponent(imported)}/count-tokens`],
    ["bedrock", bedrock, "amazon.nova-lite-v1:0", "/model/amazon.nova-lite-v1%3A0/count-tokens"],
  ])("at %s", (_name, definition, model, path) => {
    const found = specFor(definition, model).path;
    expect(typeof found === "function" ? found({ model, stream: false }) : found).toBe(path);
  });

  it("tells Vertex AI the fields of a request, which Gemini's own API has in one", () => {
    const { rewrite } = specFor(vertex, "gemini-2.5-pro");
    const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
    const generateContentRequest = { model: "models/m", contents, tools: [] };
    expect(rewrite?.apply({ model: "m", generateContentRequest })).toEqual({ model: "m", contents, tools: [] });
    expect(rewrite?.apply({ model: "m", contents })).toEqual({ model: "m", contents });
  });

  it("names Claude to Vertex AI in the body, whose path counts for all of them", () => {
    const { rewrite, model } = specFor(vertex, "anthropic.claude-x@1");
    expect(model?.("anthropic.claude-x@1")).toBe("claude-x@1");
    expect(rewrite?.apply({ model: "claude-x@1", messages: [] })).toEqual({
      model: "claude-x@1",
      messages: [],
      anthropic_version: "vertex-2023-10-16",
    });
  });

  it("wraps a request for Claude at Bedrock as it would be sent", () => {
    const { rewrite, normalise } = specFor(bedrock, "anthropic.claude-x");
    const told = rewrite?.apply({ model: "anthropic.claude-x", anthropic_version: "v", messages: [] });
    const { input } = told as { input: { invokeModel: { body: string } } };
    expect(JSON.parse(Buffer.from(input.invokeModel.body, "base64").toString())).toEqual({
      max_tokens: 1,
      anthropic_version: "v",
      messages: [],
    });
    expect(normalise?.({ inputTokens: 4 })).toEqual({ input_tokens: 4 });
  });
});
