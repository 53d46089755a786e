import { describe, expect, it } from "vitest";
import { boundProvider } from "../../core/conformance/testing.ts";
import type { OperationName } from "../../core/model/operations.ts";
import { addressOf } from "../../core/pipeline/attempt/upstream-call.ts";
import vertex from "./index.ts";
import { vertexOptions } from "./options.ts";

interface Asked {
  readonly model: string;
  readonly region?: string;
  readonly stream?: boolean;
  readonly operation?: OperationName;
}

async function urlOf({ model, region = "us-central1", stream = false, operation = "chat" }: Asked) {
  const { baseUrl, operations } = await boundProvider(vertex, { apiKey: "token", region, projectId: "p" });
  const spec = operations[operation]?.find(({ serves }) => !serves || serves(model));
  const path = typeof spec?.path === "function" ? spec.path({ model, stream }) : spec?.path;
  return { url: `${baseUrl}${path}`, format: spec?.format, model: spec?.model?.(model) };
}

const at = (region: string, version = "v1") =>
  `https://${region}-aiplatform.googleapis.com/${version}/projects/p/locations/${region}`;
const central = at("us-central1");

describe("vertex-ai", () => {
  // providers.md appendix A.8, and the rest of the table in 8.2
  it.each<[Asked, string, string]>([
    [{ model: "gemini-2.5-pro" }, `${central}/publishers/google/models/gemini-2.5-pro:generateContent`, "gemini"],
    [
      { model: "gemini-2.5-pro", region: "global", stream: true },
      "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
      "gemini",
    ],
    [
      { model: "anthropic.claude-sonnet-4@20250514", region: "eu", stream: true },
      "https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu/publishers/anthropic/models/claude-sonnet-4@20250514:streamRawPredict",
      "anthropic-messages",
    ],
    [
      { model: "anthropic.claude-sonnet-4@20250514", region: "us" },
      "https://aiplatform.us.rep.googleapis.com/v1/projects/p/locations/us/publishers/anthropic/models/claude-sonnet-4@20250514:rawPredict",
      "anthropic-messages",
    ],
    [
      { model: "meta.llama-3.1-405b-instruct-maas" },
      `${at("us-central1", "v1beta1")}/endpoints/openapi/chat/completions`,
      "openai-chat",
    ],
    [{ model: "endpoints.123" }, `${central}/endpoints/123/chat/completions`, "openai-chat"],
    [
      { model: "mistralai.mistral-medium-3", region: "europe-west4" },
      `${at("europe-west4")}/publishers/mistralai/models/mistral-medium-3:rawPredict`,
      "openai-chat",
    ],
    [
      { model: "mistralai.mistral-medium-3", stream: true },
      `${central}/publishers/mistralai/models/mistral-medium-3:streamRawPredict`,
      "openai-chat",
    ],
    [
      { model: "qwen.qwen3-coder" },
      `${at("us-central1", "v1beta1")}/endpoints/openapi/chat/completions`,
      "openai-chat",
    ],
    [{ model: "google.gemma-3" }, `${central}/publishers/google/models/gemma-3:generateContent`, "gemini"],
    [{ model: "a/b?c" }, `${central}/publishers/google/models/a%2Fb%3Fc:generateContent`, "gemini"],
    [
      { model: "text-embedding-005", operation: "embed" },
      `${central}/publishers/google/models/text-embedding-005:predict`,
      "openai-embeddings",
    ],
    [
      { model: "gemini-embedding-2-preview", operation: "embed" },
      `${central}/publishers/google/models/gemini-embedding-2-preview:embedContent`,
      "gemini-embeddings",
    ],
  ])("asks for %j at %s", async (asked, url, format) => {
    expect(await urlOf(asked)).toMatchObject({ url, format });
  });

  it("asks for reranking at a host of its own, or below the base URL that is given", async () => {
    const pathWith = async (more: object) => {
      const options = { apiKey: "token", region: "us-central1", projectId: "p", ...more };
      const provider = await boundProvider(vertex, options);
      const { origin, path, untrustedHost } = addressOf(provider, String(provider.operations.rerank?.[0]?.path));
      return [origin + path, untrustedHost];
    };
    const path = "/v1/projects/p/locations/global/rankingConfigs/default_ranking_config:rank";
    expect(await pathWith({})).toEqual([`https://discoveryengine.googleapis.com${path}`, false]);
    expect(await pathWith({ baseUrl: "https://private.example" })).toEqual([`https://private.example${path}`, false]);
  });

  it("is shown a key of Google Cloud, which needs no project", async () => {
    const express = { apiKey: "AQ.key", authType: "apiKey", region: "europe-west4" };
    const called = async (more: object) => {
      const { baseUrl, operations, headers, usable } = await boundProvider(vertex, { ...express, ...more });
      const path = operations.chat?.[1]?.path;
      return {
        url: `${baseUrl}${typeof path === "function" ? path({ model: "gemini-3.5-flash", stream: false }) : path}`,
        headers,
        usable,
      };
    };
    const action = "publishers/google/models/gemini-3.5-flash:generateContent";
    const shown = { headers: { "x-goog-api-key": "AQ.key" }, usable: true };
    expect(await called({})).toEqual({ url: `https://aiplatform.googleapis.com/v1/${action}`, ...shown });
    expect(await called({ projectId: "p" })).toEqual({
      url: `${at("europe-west4")}/${action}`,
      ...shown,
    });
  });

  it.each([
    ["meta.llama-3.1-405b-instruct-maas", "meta/llama-3.1-405b-instruct-maas"],
    ["zai-org.glm-5", "zai-org/glm-5"],
    ["deepseek-ai.deepseek-v3.2-maas", "deepseek-ai/deepseek-v3.2-maas"],
    ["minimaxai.minimax-m2-maas", "minimaxai/minimax-m2-maas"],
    ["openai.gpt-oss-120b-maas", "openai/gpt-oss-120b-maas"],
    ["mistralai.codestral-2", "codestral-2"],
    ["gemini-2.5-pro", undefined],
  ])("calls %s by the name of its publisher", async (model, name) => {
    expect((await urlOf({ model })).model).toBe(name);
  });

  it.each(["evil.example/", "us-central1.evil.example#", "US", "", "us-central1/../x"])(
    "takes %j for no region",
    (region) => {
      expect(vertexOptions.safeParse({ region }).success).toBe(false);
    },
  );

  it.each(["p/../q", "", "p?x", "P"])("takes %j for no project", (projectId) => {
    expect(vertexOptions.safeParse({ region: "global", projectId }).success).toBe(false);
  });

  it.each([
    ["/projects/q/locations/global/models", "/v1/projects/q/locations/global/models"],
    ["/v1beta1/projects/q/x", "/v1beta1/projects/q/x"],
    [
      "/publishers/google/models/m:countTokens",
      "/v1/projects/p/locations/global/publishers/google/models/m:countTokens",
    ],
  ])("sends raw calls at %s to %s", async (path, sent) => {
    const { proxyPath } = await boundProvider(vertex, { apiKey: "token", region: "global", projectId: "p" });
    expect(proxyPath?.(path)).toBe(sent);
  });
});

describe("what vertex-ai lacks", () => {
  const account = { client_email: "a@p2.iam", private_key: "k", project_id: "p2" };
  const lacks = async (options: object) =>
    (await boundProvider(vertex, { region: "global", apiKey: "token", ...options })).lacks;

  it.each<[object, string | undefined]>([
    [{ projectId: "p" }, undefined],
    [{}, "projectId"],
    [{ serviceAccountJson: account }, undefined],
    [{ serviceAccountJson: JSON.stringify(account) }, undefined],
    [{ serviceAccountJson: "{not json" }, "projectId"],
    [{ serviceAccountJson: { ...account, project_id: "p/../q" } }, "projectId"],
    [{ authType: "serviceAccount", projectId: "p" }, undefined],
  ])("of %j is %s", async (options, missing) => {
    const found = await lacks(options);
    if (missing === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(missing);
  });

  it("is the service account, where there is no token either", async () => {
    const { lacks: found } = await boundProvider(vertex, { region: "global", authType: "serviceAccount" });
    expect(found).toContain("client_email and private_key");
  });

  it("takes the project of the service account before the configured one", async () => {
    const { proxyPath } = await boundProvider(vertex, {
      region: "global",
      projectId: "p",
      serviceAccountJson: account,
    });
    expect(proxyPath?.("/models")).toBe("/v1/projects/p2/locations/global/models");
  });
});
