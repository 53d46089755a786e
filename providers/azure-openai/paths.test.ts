import { describe, expect, it } from "vitest";
import { boundProvider } from "../../core/conformance/testing.ts";
import { rawPath } from "../../core/pipeline/attempt/raw-attempt.ts";
import azure from "./index.ts";

const dated = { resourceName: "r1", deploymentId: "d1", apiVersion: "2024-10-21" };
const v1 = { ...dated, apiVersion: "v1" };
const listed = {
  resourceName: "r1",
  apiVersion: "2024-10-21",
  deployments: [
    { deploymentId: "d-mini", alias: "small", model: "gpt-4o-mini" },
    { deploymentId: "d-v1", alias: "new", apiVersion: "v1" },
    { deploymentId: "d-rest", isDefault: true },
  ],
};
const ofConfigs = {
  resourceName: "r1",
  deployments: [
    { deployment_id: "d2", alias: "a", api_version: "2024-10-21" },
    { azure_deployment_name: "d3", azure_model_slug: "m", azure_api_version: "v1", is_default: true },
  ],
};

interface Asked {
  readonly operation?: "chat" | "complete" | "embed";
  readonly format?: string;
  readonly model?: string;
}

async function told(options: object, { operation = "chat", format, model = "gpt-4o" }: Asked) {
  const { baseUrl, operations } = await boundProvider(azure, { apiKey: "key", ...options });
  const specs = operations[operation] ?? [];
  const spec = format === undefined ? specs[0] : specs.find((one) => one.format === format);
  const path = typeof spec?.path === "function" ? spec.path({ model, stream: false }) : spec?.path;
  return [`${baseUrl}${path}`, spec?.model?.(model)];
}

const responses = { format: "openai-responses" } as const;
const r1 = "https://r1.openai.azure.com/openai";

describe("azure-openai", () => {
  // providers.md appendix A.7, and 10.1
  it.each<[string, object, Asked, string, string]>([
    ["chat", dated, {}, `${r1}/deployments/d1/chat/completions?api-version=2024-10-21`, "gpt-4o"],
    ["responses", dated, responses, `${r1}/responses?api-version=2024-10-21`, "d1"],
    ["chat by v1", v1, {}, `${r1}/v1/chat/completions`, "d1"],
    ["responses by v1", v1, responses, `${r1}/v1/responses`, "d1"],
    ["chat below an address with its version", { ...v1, baseUrl: `${r1}/v1` }, {}, `${r1}/v1/chat/completions`, "d1"],
    ["responses there", { ...v1, baseUrl: `${r1}/v1` }, responses, `${r1}/v1/responses`, "d1"],
    [
      "chat below another host",
      { ...dated, baseUrl: "https://g.example/openai" },
      {},
      "https://g.example/openai/deployments/d1/chat/completions?api-version=2024-10-21",
      "gpt-4o",
    ],
    [
      "completions",
      dated,
      { operation: "complete" },
      `${r1}/deployments/d1/completions?api-version=2024-10-21`,
      "gpt-4o",
    ],
    [
      "embeddings",
      dated,
      { operation: "embed", model: "e" },
      `${r1}/deployments/d1/embeddings?api-version=2024-10-21`,
      "e",
    ],
    ["embeddings by v1", v1, { operation: "embed", model: "e" }, `${r1}/v1/embeddings`, "d1"],
    [
      "an alias",
      listed,
      { model: "small" },
      `${r1}/deployments/d-mini/chat/completions?api-version=2024-10-21`,
      "small",
    ],
    [
      "a model",
      listed,
      { model: "gpt-4o-mini" },
      `${r1}/deployments/d-mini/chat/completions?api-version=2024-10-21`,
      "gpt-4o-mini",
    ],
    ["an alias with a version of its own", listed, { model: "new" }, `${r1}/v1/chat/completions`, "d-v1"],
    [
      "any other model",
      listed,
      { model: "x" },
      `${r1}/deployments/d-rest/chat/completions?api-version=2024-10-21`,
      "x",
    ],
    [
      "an alias of a routing config",
      ofConfigs,
      { model: "a" },
      `${r1}/deployments/d2/chat/completions?api-version=2024-10-21`,
      "a",
    ],
    ["a stored model", ofConfigs, { model: "m" }, `${r1}/v1/chat/completions`, "d3"],
    ["a deployment named after its model", { resourceName: "r1" }, {}, `${r1}/v1/chat/completions`, "gpt-4o"],
    [
      "a model that is no name",
      { resourceName: "r1", apiVersion: "2024-10-21" },
      { model: "a/../b?c" },
      `${r1}/deployments/a%2F..%2Fb%3Fc/chat/completions?api-version=2024-10-21`,
      "a/../b?c",
    ],
  ])("asks %s at its place", async (_what, options, asked, url, model) => {
    expect(await told(options, asked)).toEqual([url, model]);
  });

  it.each<[string, object, string, string]>([
    ["batches", dated, "/v1/batches/b1", "/batches/b1?api-version=2024-10-21"],
    ["batches by v1", v1, "/v1/batches/b1", "/v1/batches/b1"],
    ["files with a query", dated, "/v1/files?limit=2", "/files?limit=2&api-version=2024-10-21"],
    ["a version of its own", dated, "/v1/files?api-version=2025-01-01", "/files?api-version=2025-01-01"],
    ["images", dated, "/v1/images/generations", "/deployments/d1/images/generations?api-version=2024-10-21"],
    ["audio", dated, "/v1/audio/transcriptions", "/deployments/d1/audio/transcriptions?api-version=2024-10-21"],
    ["images by v1", v1, "/v1/images/edits", "/v1/images/edits"],
    ["files below an address with its version", { ...v1, baseUrl: `${r1}/v1` }, "/v1/files", "/files"],
    ["the same, as they stand there", { ...v1, baseUrl: `${r1}/v1` }, "/v1/proxy/v1/files", "/files"],
    ["files by v1, as they stand there", v1, "/v1/proxy/v1/files", "/v1/files"],
    [
      "a deployment's own path",
      dated,
      "/v1/proxy/deployments/d9/chat/completions?a=1",
      "/deployments/d9/chat/completions?a=1&api-version=2024-10-21",
    ],
    [
      "what the vendor's client asks below the gateway",
      dated,
      "/v1/proxy/openai/deployments/d%209/chat/completions?api-version=2025-01-01",
      "/deployments/d%209/chat/completions?api-version=2025-01-01",
    ],
    ["the same by v1", v1, "/v1/proxy/openai/v1/files", "/v1/files"],
    [
      "the same below an address with its version",
      { ...v1, baseUrl: `${r1}/v1` },
      "/v1/proxy/openai/v1/files",
      "/files",
    ],
    [
      "what an address of one's own may have",
      { ...dated, baseUrl: "https://g.example" },
      "/v1/proxy/openai/files",
      "/openai/files?api-version=2024-10-21",
    ],
    [
      "the vendor's host",
      dated,
      "/v1/proxy/R1.openai.azure.com/openai/deployments/d9/embeddings",
      "/deployments/d9/embeddings?api-version=2024-10-21",
    ],
  ])("sends raw calls for %s to their place", async (_what, options, url, path) => {
    const { proxyPath } = await boundProvider(azure, { apiKey: "key", ...options });
    expect(rawPath(url, proxyPath)).toBe(path);
  });

  it("refuses the path of another resource, and calls that need a deployment where none is known", async () => {
    const { proxyPath } = await boundProvider(azure, { apiKey: "key", resourceName: "r1", apiVersion: "2024-10-21" });
    expect(() => proxyPath?.("/r2.openai.azure.com/openai/files")).toThrow("names another resource");
    expect(() => proxyPath?.("/images/generations")).toThrow("azure-deployment-id");
  });

  it.each([
    { resourceName: "evil.example/" },
    { resourceName: "r1.openai.azure.com" },
    { resourceName: "r1", deploymentId: "../x" },
    { resourceName: "r1", apiVersion: "v1&x=y" },
    { resourceName: "r1", apiVersion: "a".repeat(31) },
    { resourceName: "r1", deployments: [{ alias: "a" }] },
    { resourceName: "r1", entraTenantId: "t/../x" },
  ])("takes nothing for %j", (options) => {
    expect(azure.options.safeParse(options).success).toBe(false);
  });

  it.each<[object, object | undefined]>([
    [{ apiKey: "key" }, { "api-key": "key" }],
    [
      { apiKey: "key", authMode: "default", beta: "b" },
      { "api-key": "key", "openai-beta": "b" },
    ],
    [{ apiKey: "key", adToken: "Bearer own" }, { authorization: "Bearer own" }],
  ])("shows %j as %j", async (options, headers) => {
    expect((await boundProvider(azure, { resourceName: "r1", ...options })).headers).toEqual(headers);
  });

  it.each<[Record<string, string>, string | undefined]>([
    [{}, "resourceName"],
    [{ resourceName: "r1" }, undefined],
    [{ baseUrl: "https://g.example/openai" }, undefined],
    [{ resourceName: "r1", authMode: "entra" }, "entraTenantId"],
    [{ resourceName: "r1", authMode: "entra", apiKey: "key" }, undefined],
  ])("lacks of %j: %s", async (options, missing) => {
    const { lacks } = await boundProvider(azure, options);
    expect(lacks ?? "nothing").toContain(missing ?? "nothing");
  });
});

it.each([
  ["the one a deployment is listed with", listed, "small", "gpt-4o-mini"],
  ["itself, where the list does not say", listed, "new", "new"],
  ["itself, where the default deployment does not say", listed, "gpt-4o", "gpt-4o"],
  ["the one of the default deployment", ofConfigs, "other", "m"],
  ["the one the options name", { ...dated, modelName: "gpt-4o" }, "d1", "gpt-4o"],
  ["itself, where nobody says anything", dated, "gpt-4o", "gpt-4o"],
])("the model behind a name is %s", async (_, options, name, model) => {
  const provider = await boundProvider(azure, { apiKey: "key", ...options });
  expect(provider.modelBehind?.(name)).toBe(model);
});

const coding = {
  resourceName: "r1",
  deployments: [
    { deploymentId: "d-code", alias: "writer", model: "gpt-5.1-codex" },
    { deploymentId: "d-rest", model: "gpt-5", isDefault: true },
  ],
};

it.each<[string, object, string, boolean]>([
  ["Codex by its own name", { resourceName: "r1" }, "gpt-5-codex", true],
  ["Codex by an alias of its deployment", coding, "writer", true],
  ["Codex that the options name", { ...dated, modelName: "gpt-5-codex" }, "d1", true],
  ["a deployment of another model", coding, "gpt-5", false],
  ["any other model", { resourceName: "r1" }, "gpt-5", false],
])("asks the Responses API first, or not, for %s", async (_, options, model, first) => {
  const { operations } = await boundProvider(azure, { apiKey: "key", ...options });
  expect(operations.chat?.map(({ firstFor }) => firstFor?.(model))).toEqual([undefined, first]);
});
