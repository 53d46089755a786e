import { describe, expect, it } from "vitest";
import { boundProvider } from "../../core/conformance/testing.ts";
import { addressOf } from "../../core/pipeline/attempt/upstream-call.ts";
import azure from "./index.ts";

const services = "https://r.services.ai.azure.com";
const kinds = {
  services: `${services}/models`,
  project: `${services}/api/projects/p/openai/v1`,
  managed: "https://m.eastus.inference.ml.azure.com/score",
  serverless: "https://m.eastus.models.ai.azure.com",
  anthropic: `${services}/anthropic`,
};

const bound = (options: object) => boundProvider(azure, { apiKey: "key", ...options });

async function urlOf(options: object, operation: "chat" | "complete" | "embed" | "rerank" = "chat", at = 0) {
  const provider = await bound(options);
  const path = provider.operations[operation]?.[at]?.path;
  if (typeof path !== "string") return undefined;
  const address = addressOf(provider, path);
  return address.origin + address.path;
}

describe("azure-ai", () => {
  // providers.md section 11
  it.each<[object, string]>([
    [
      { baseUrl: kinds.services, apiVersion: "2024-05-01-preview" },
      `${kinds.services}/chat/completions?api-version=2024-05-01-preview`,
    ],
    [{ baseUrl: kinds.project }, `${kinds.project}/chat/completions`],
    [{ baseUrl: kinds.managed }, `${kinds.managed}/chat/completions`],
    [{ baseUrl: `${kinds.serverless}/` }, `${kinds.serverless}/chat/completions`],
    [{ baseUrl: kinds.anthropic }, `${kinds.anthropic}/v1/messages`],
    [{ baseUrl: `${kinds.anthropic}/v1` }, `${kinds.anthropic}/v1/messages`],
    [{ endpointName: "m", region: "eastus" }, `${kinds.serverless}/chat/completions`],
    [{ endpointName: "m", region: "eastus", deploymentType: "managed" }, `${kinds.managed}/chat/completions`],
  ])("is asked, with %j, at %s", async (options, url) => {
    expect(await urlOf(options)).toBe(url);
  });

  it("is asked for the rest beside chat, and for reranking beside the models", async () => {
    const options = { baseUrl: kinds.services, apiVersion: "v" };
    expect(await urlOf(options, "complete")).toBe(`${kinds.services}/completions?api-version=v`);
    expect(await urlOf(options, "embed")).toBe(`${kinds.services}/embeddings?api-version=v`);
    expect(await urlOf(options, "rerank")).toBe(`${services}/providers/cohere/v2/rerank`);
    const [rerank] = (await bound(options)).operations.rerank ?? [];
    expect(rerank?.model?.("cohere.rerank-v4")).toBe("rerank-v4");
  });

  it("is asked for responses only where that is wanted", async () => {
    const { operations } = await bound({ baseUrl: kinds.project });
    const served = (model: string) => operations.chat?.filter(({ serves }) => serves?.(model) ?? true);
    expect(served("gpt-5")).toMatchObject([{ format: "openai-chat" }]);
    expect(served("gpt-5-codex")).toMatchObject([{ format: "openai-chat" }, { format: "openai-responses" }]);
    const options = { baseUrl: kinds.project, responsesProxy: "true" };
    expect(await urlOf(options, "chat", 1)).toBe(`${kinds.project}/responses`);
    const [, responses] = (await bound(options)).operations.chat ?? [];
    const input = [
      { role: "user", content: "a" },
      { type: "item_reference", id: "1" },
    ];
    expect(responses?.rewrite?.apply({ input })).toEqual({
      input: [
        { type: "message", role: "user", content: "a" },
        { type: "item_reference", id: "1" },
      ],
    });
    expect(responses?.rewrite?.apply({ input: "a" })).toEqual({ input: "a" });
    // Agents have models of their own.
    expect(responses?.defaultModel).toBe("");
  });

  it("is asked for Microsoft's own images beside its models", async () => {
    const { operations } = await bound({ baseUrl: kinds.project, apiVersion: "v" });
    const served = (model: string, operation: "image" | "imageEdit") =>
      operations[operation]?.filter(({ serves }) => serves?.(model) ?? true).map(({ format, path }) => [format, path]);
    const mai = (what: string) => `${services}/mai/v1/images/${what}`;
    expect(served("MAI-Image-2", "image")).toEqual([["mai-images", mai("generations")]]);
    expect(served("MAI-Image-2.5-Flash", "imageEdit")).toEqual([["openai-image-edits", mai("edits")]]);
    expect(served("gpt-image-1", "image")).toEqual([["openai-images", "/images/generations?api-version=v"]]);
    expect(served("gpt-image-1", "imageEdit")).toEqual([["openai-image-edits", "/images/edits?api-version=v"]]);
  });

  it("is told no more of an edit than it takes, and its tokens go by OpenAI's names", async () => {
    const [edits] = (await bound({ baseUrl: kinds.services })).operations.imageEdit ?? [];
    const lost: string[] = [];
    const form = {
      model: "MAI-Image-2.5",
      prompt: "a",
      "image[]": "1",
      n: "1",
      mask: "2",
      size: "auto",
      response_format: "url",
    };
    expect(edits?.rewrite?.apply(form, (name) => lost.push(name))).toEqual({
      model: "MAI-Image-2.5",
      prompt: "a",
      image: "1",
    });
    expect(lost).toEqual(["response_format", "mask", "size"]);
    expect(() => edits?.rewrite?.apply({ image: ["1", "2"] })).toThrow("one image");
    expect(() => edits?.rewrite?.apply({ image: "1", stream: "true" })).toThrow("streams");
    const usage = { num_output_tokens: 960, num_input_text_tokens: 24, num_input_image_tokens: 100 };
    expect(edits?.normalise?.({ data: [], usage })).toEqual({
      data: [],
      usage: {
        input_tokens: 124,
        input_tokens_details: { text_tokens: 24, image_tokens: 100 },
        output_tokens: 960,
        output_tokens_details: { text_tokens: 0, image_tokens: 960 },
        total_tokens: 1084,
      },
    });
    expect(edits?.normalise?.({ data: [] })).toEqual({ data: [] });
  });

  it("offers, below Claude's URL, what Claude does", async () => {
    const { operations } = await bound({ baseUrl: kinds.anthropic });
    expect(Object.keys(operations)).toContain("chat");
    expect(Object.keys(operations)).not.toContain("embed");
    expect(operations.chat?.map(({ format }) => format)).toEqual(["anthropic-messages"]);
  });

  it.each<[object, object]>([
    [{ baseUrl: kinds.services }, { authorization: "Bearer key", "api-key": "key", "extra-parameters": "drop" }],
    [
      { baseUrl: kinds.services, deploymentName: "d", extraParameters: "pass-through" },
      {
        ...{ authorization: "Bearer key", "api-key": "key" },
        ...{ "extra-parameters": "pass-through", "azureml-model-deployment": "d" },
      },
    ],
    [{ baseUrl: kinds.anthropic }, { "x-api-key": "key", "anthropic-version": "2023-06-01" }],
    [
      { baseUrl: kinds.anthropic, adToken: "own", anthropicBeta: "b", anthropicVersion: "2" },
      { authorization: "Bearer own", "anthropic-version": "2", "anthropic-beta": "b" },
    ],
  ])("is shown, with %j, %j", async (options, headers) => {
    expect((await bound(options)).headers).toEqual(headers);
  });

  it.each<[object, string, string]>([
    [
      { baseUrl: kinds.services, apiVersion: "v" },
      "/images/generations",
      `${kinds.services}/images/generations?api-version=v`,
    ],
    [{ baseUrl: kinds.project }, "/batches/b1", `${services}/openai/batches/b1`],
    [{ baseUrl: kinds.services, apiVersion: "v" }, "/files?limit=1", `${services}/openai/files?limit=1&api-version=v`],
    [{ baseUrl: kinds.anthropic }, "/messages/count_tokens", `${kinds.anthropic}/v1/messages/count_tokens`],
  ])("sends raw calls, with %j, at %s to %s", async (options, path, url) => {
    const provider = await bound(options);
    const address = addressOf(provider, provider.proxyPath?.(path) ?? path);
    expect(address.origin + address.path).toBe(url);
  });

  it("says that it lacks its URL, which callers may bring", async () => {
    expect((await bound({})).lacks).toContain("azure-foundry-url");
    expect((await bound({ endpointName: "m" })).lacks).toContain("azure-foundry-url");
    expect((await bound({ endpointName: "m", region: "eastus" })).lacks).toBeUndefined();
  });
});
