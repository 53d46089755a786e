import { afterAll, beforeAll, expect, it } from "vitest";
import type { Caller } from "../../../test/support/management.ts";
import { type Recording, startRecording } from "../testing.ts";

let recording: Recording;
let writer: Caller;
beforeAll(async () => {
  recording = await startRecording(
    {},
    {
      plugins: {
        pricing: { catalogue: false, models: { "openai/gpt-x": { input: 1, output: 2 }, "@spare/*": { input: 10 } } },
      },
      providers: { spare: { use: "openai", apiKey: "spare-key-0123" } },
    },
  );
  writer = recording.as({ workspace: recording.workspace.id, scopes: ["completions.write", "logs.write"] });
});
afterAll(() => recording.stop());

const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

it.each<[string, object, object, Record<string, string>, number | null]>([
  ["of a vendor", { provider: "openai", body: { model: "gpt-x" } }, { usage }, {}, 0.12],
  ["by the model that answered", { provider: "openai", body: { model: "gpt" } }, { model: "gpt-x", usage }, {}, 0.12],
  ["of a provider of the file", { provider: "spare", body: { model: "gpt-y" } }, { usage }, {}, 1],
  ["of a virtual key", { body: { model: "gpt-y" } }, { usage }, { "x-gateway-virtual-key": "spare" }, 1],
  ["of nobody that is known", { provider: "elsewhere", body: { model: "gpt-x" } }, { usage }, {}, null],
  ["of a model without a price", { provider: "openai", body: { model: "gpt-y" } }, { usage }, {}, null],
  ["of a slug in the provider header", { body: { model: "gpt-y" } }, { usage }, { "x-gateway-provider": "@spare" }, 1],
  ["of what nobody knows", { provider: "openai", body: { model: "gpt-x" } }, {}, {}, null],
])("a log that is inserted has the cost %s", async (_, request, body, headers, cost) => {
  const inserted = {
    request: { url: "https://api.example/v1/chat", ...request },
    response: { body: { choices: [], ...body } },
  };
  const { body: made } = await writer("POST", "/logs", inserted, headers);
  const { metrics } = (await writer("GET", `/logs/${made.ids[0]}`)).body;
  expect([metrics.cost, metrics.cost_source]).toEqual([cost, cost === null ? null : "config"]);
});

it.each([
  ["x-gateway-virtual-key", "spare"],
  ["x-gateway-virtual-key", "@spare"],
  ["x-gateway-provider", "@spare/gpt-y"],
])("a log that is inserted with %s: %s is that provider's", async (header, value) => {
  const inserted = { request: { url: "https://api.example/v1/chat", body: {} }, response: { body: {} } };
  const { body: made } = await writer("POST", "/logs", inserted, { [header]: value });
  const { metrics } = (await writer("GET", `/logs/${made.ids[0]}`)).body;
  expect([metrics.virtual_key, metrics.provider_slug, metrics.ai_org]).toEqual(["spare", "spare", "openai"]);
});
