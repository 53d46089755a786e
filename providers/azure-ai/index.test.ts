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
  });

  it("offers, below Claude's URL, what Claude does", async () => {
    const { operations } = await bound({ baseUrl: kinds.anthropic });
    expect(Object.keys(operations)).toContain("chat");
    expect(Object.keys(operations)).not.toContain("embed");
    expect(operations.chat?.map(({ format }) => format)).toEqual(["anthropic-messages"]);
  });

  it.each<[object, object]>([
    [{ baseUrl: kinds.services }, { authorization: "Bearer key", "extra-parameters": "drop" }],
    [
      { baseUrl: kinds.services, deploymentName: "d", extraParameters: "pass-through" },
      { authorization: "Bearer key", "extra-parameters": "pass-through", "azureml-model-deployment": "d" },
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
