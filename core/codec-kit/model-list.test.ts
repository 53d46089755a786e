import { expect, it } from "vitest";
import { modelList } from "./model-list.ts";

const listed = (id: string, created: number, owner: string, more = {}) => ({
  ...more,
  id,
  object: "model",
  created,
  owned_by: owner,
});

it.each([
  {
    of: "OpenAI",
    provider: "openai",
    wire: { object: "list", data: [{ id: "gpt-4o", object: "model", created: 7, owned_by: "system" }] },
    data: [listed("gpt-4o", 7, "system")],
  },
  {
    of: "Anthropic",
    provider: "anthropic",
    wire: { data: [{ type: "model", id: "claude-a", created_at: "2025-02-19T00:00:00Z" }], has_more: false },
    data: [listed("claude-a", 1_739_923_200, "anthropic", { type: "model", created_at: "2025-02-19T00:00:00Z" })],
    beside: { has_more: false },
  },
  {
    of: "Google",
    provider: "google",
    wire: { models: [{ name: "models/gemini-a", inputTokenLimit: 5 }], nextPageToken: "p" },
    data: [listed("gemini-a", 0, "google", { name: "models/gemini-a", inputTokenLimit: 5 })],
    beside: { models: [{ name: "models/gemini-a", inputTokenLimit: 5 }], nextPageToken: "p" },
  },
  {
    of: "vendors that write a list and nothing around it",
    provider: "together-ai",
    wire: [{ id: "a/b", created: 3 }],
    data: [listed("a/b", 3, "together-ai")],
  },
  {
    of: "AWS",
    provider: "bedrock",
    wire: { modelSummaries: [{ modelId: "amazon.nova-pro-v1:0", providerName: "Amazon" }] },
    data: [listed("amazon.nova-pro-v1:0", 0, "bedrock", { modelId: "amazon.nova-pro-v1:0", providerName: "Amazon" })],
  },
  {
    of: "Databricks",
    provider: "databricks",
    wire: { endpoints: [{ name: "chat", id: "d1c2", creation_timestamp: 1_739_923_200_000 }] },
    data: [listed("chat", 1_739_923_200, "databricks", { name: "chat", creation_timestamp: 1_739_923_200_000 })],
  },
  {
    of: "Cloudflare",
    provider: "workers-ai",
    wire: { success: true, result: [{ id: "f8703a00", name: "@cf/meta/llama-3.1-8b-instruct" }] },
    data: [listed("@cf/meta/llama-3.1-8b-instruct", 0, "workers-ai", { name: "@cf/meta/llama-3.1-8b-instruct" })],
    beside: { success: true },
  },
])("reads the list of $of", ({ provider, wire, data, beside = {} }) => {
  expect(modelList(wire, provider)).toEqual({ ...beside, object: "list", data, provider });
});

it("leaves alone what is no list", () => {
  const wire = { detail: "nothing here" };
  expect(modelList(wire, "openai")).toBe(wire);
});
