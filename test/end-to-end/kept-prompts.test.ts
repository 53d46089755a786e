import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";
import { json } from "../support/upstream.ts";

/** Prompts that are kept at the vendor have models of their own: requests of the Responses API that name one may name none. */

const answer = {
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "gpt-own",
  output: [
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hi", annotations: [] }],
    },
  ],
  usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
};
const asking = { prompt: { id: "pmpt_1", variables: { name: "Ada" } } };

const sent: string[] = [];
const vendor = createServer((incoming, response) => {
  const pieces: Buffer[] = [];
  incoming.on("data", (bytes: Buffer) => pieces.push(bytes));
  incoming.on("end", () => {
    sent.push(`${Buffer.concat(pieces)}`);
    json(response, 200, answer);
  });
});
let recording: Recording;

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const host = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`;
  recording = await startRecording(
    {},
    {
      plugins: {
        encryption: { key: "5e".repeat(32) },
        integrations: {},
        checks: {},
        guardrails: {},
        "counters-memory": {},
        "policy-records": {
          rateLimits: {
            "none-of-it": {
              conditions: [
                { key: "model", value: "@openai/dear" },
                { key: "metadata.team", value: "poor" },
              ],
              group_by: [{ key: "model" }],
              type: "requests",
              unit: "rpm",
              value: 0,
            },
          },
        },
        "rate-limits": {},
        pricing: { models: { "openai/gpt-own": { input: 1, output: 2 } } },
      },
      providers: {
        oai: { use: "openai", apiKey: "sk-0123456789", baseUrl: host },
        ant: { use: "anthropic", apiKey: "sk-0123456789", baseUrl: host },
      },
    },
  );
  const { admin, workspace } = recording;
  for (const [slug, models] of [
    ["closed", { models: [{ slug: "cheap", enabled: true }], allow_all_models: false }],
    ["mostly", { models: [{ slug: "dear", enabled: false }], allow_all_models: true }],
  ] as const) {
    const made = await admin("POST", "/integrations", {
      name: slug,
      slug,
      ai_provider_id: "openai",
      key: "sk-0123456789",
      workspace_id: workspace.slug,
      default_provider_slug: slug,
      configurations: { custom_host: host },
    });
    expect(made.status).toBe(200);
    expect((await admin("PUT", `/integrations/${slug}/models`, models)).status).toBe(200);
  }
});
afterAll(async () => {
  await recording.stop();
  vendor.closeAllConnections();
  vendor.close();
});
beforeEach(() => void sent.splice(0));

const ask = (config: object, body: object | string = asking, headers = {}) =>
  recording.ask(body, { path: "/v1/responses", config, headers });

describe("a prompt that is kept at the vendor", () => {
  it("is asked for without a model, byte for byte, and is priced by the model that answered", async () => {
    const body = '{ "prompt": {"id":"pmpt_1"},\n "input" : "H\\u00fc" }';
    const { status, text, id } = await ask({ provider: "@oai" }, body);
    expect([status, JSON.parse(text)]).toEqual([200, answer]);
    expect(sent).toEqual([body]);
    expect(await recording.trace(id, 1)).toMatchObject([{ total_units: 1100, cost: 0.12, cost_source: "config" }]);
  });

  it("goes on to be asked for where a guardrail looks at the request", async () => {
    const input_guardrails = [{ contains: { words: ["tea"], operator: "none" }, deny: true }];
    expect((await ask({ provider: "@oai", input_guardrails })).status).toBe(200);
    expect(sent.map((one) => JSON.parse(one))).toEqual([asking]);
  });

  it.each<[string, object, object, number]>([
    ["a vendor that keeps none", { provider: "@ant" }, asking, 400],
    ["no prompt", { provider: "@oai" }, { input: "Hi" }, 400],
    ["a provider that is open to some models only", { provider: "@closed" }, asking, 403],
    ["a provider that is closed to a model", { provider: "@mostly" }, asking, 403],
    ["the same, of a model without a name", { provider: "@mostly" }, { model: "", ...asking }, 403],
    [
      "a list of models",
      { provider: "@oai", input_guardrails: [{ modelwhitelist: { models: ["cheap"] }, deny: true }] },
      asking,
      446,
    ],
    [
      "a list of models that are not to be asked",
      { provider: "@oai", input_guardrails: [{ modelwhitelist: { models: ["dear"], not: true }, deny: true }] },
      asking,
      446,
    ],
  ])("is refused: %s", async (_, config, body, status) => {
    expect((await ask(config, body)).status).toBe(status);
    expect(sent).toEqual([]);
  });

  it("is no way around a limit of one model", async () => {
    const poor = { "x-gateway-metadata": '{"team":"poor"}' };
    expect((await ask({ provider: "@oai" }, asking, poor)).status).toBe(429);
    expect((await ask({ provider: "@oai" }, { model: "cheap", ...asking }, poor)).status).toBe(200);
  });
});

describe("tokens of what is kept at the vendor", () => {
  const count = (config: object, body: object | string) =>
    recording.ask(body, { path: "/v1/responses/input_tokens", config });

  it.each([
    '{ "conversation": "conv_1",\n "input": "And then?" }',
    '{"previous_response_id":"resp_68ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b"}',
    '{"prompt":{"id":"pmpt_1"}}',
  ])("are counted without a model, byte for byte: %s", async (body) => {
    const { status } = await count({ provider: "@oai" }, body);
    expect([status, sent]).toEqual([200, [body]]);
  });

  it.each<[string, object, object, number]>([
    ["a vendor that keeps none", { provider: "@ant" }, { conversation: "conv_1" }, 400],
    ["nothing that is kept", { provider: "@oai" }, { input: "Hi" }, 400],
    ["a provider that is open to some models only", { provider: "@closed" }, { conversation: "conv_1" }, 403],
    ["a provider that is closed to a model", { provider: "@mostly" }, { conversation: "conv_1" }, 403],
  ])("are not counted: %s", async (_, config, body, status) => {
    expect((await count(config, body)).status).toBe(status);
    expect(sent).toEqual([]);
  });
});
