import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Caller, openManagement, type TestManagement } from "../support/management.ts";

/** A vendor that is told a model, and a webhook that asks for another one in its place. */
const models: unknown[] = [];
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (bytes: Buffer) => pieces.push(bytes));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(pieces).toString());
    response.setHeader("content-type", "application/json");
    if (request.url === "/hook") {
      const json = { ...body.request.json, model: "dear" };
      return response.end(JSON.stringify({ verdict: true, transformedData: { request: { json } } }));
    }
    models.push(body.model);
    const choices = [{ index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" }];
    return response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices }));
  });
});

let management: TestManagement;
let caller: Caller;
let host: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  management = await openManagement({
    encryption: { key: "5e".repeat(32) },
    integrations: {},
    "counters-memory": {},
    "policy-records": {
      rateLimits: {
        "none-of-it": {
          conditions: [{ key: "model", value: "@openai/dear" }],
          group_by: [{ key: "model" }],
          type: "requests",
          unit: "rpm",
          value: 0,
        },
      },
    },
    "rate-limits": {},
    checks: {},
    guardrails: {},
    routing: {},
    "strategy-fallback": {},
    "format-openai-chat": {},
  });
  const { admin, workspace } = management;
  caller = management.as({ workspace: workspace.id, scopes: ["completions.write"] });
  for (const [slug, allow_all_models] of [
    ["open", true],
    ["closed", false],
  ] as const) {
    const made = await admin("POST", "/integrations", {
      name: slug,
      slug,
      ai_provider_id: "openai",
      key: "sk-0123456789",
      workspace_id: workspace.slug,
      default_provider_slug: slug,
      configurations: { custom_host: `${host}/v1` },
    });
    expect(made.status).toBe(200);
    const models = { models: [{ slug: "cheap", enabled: true }], allow_all_models };
    expect((await admin("PUT", `/integrations/${slug}/models`, models)).status).toBe(200);
  }
});
afterAll(async () => {
  await management.close();
  server.close();
});
beforeEach(() => void models.splice(0));

const chat = (config: object, model = "cheap") =>
  caller(
    "POST",
    "/chat/completions",
    { model, messages: [{ role: "user", content: "Hi" }] },
    { "x-gateway-config": JSON.stringify(config) },
  );

const rewriting = () => ({ input_guardrails: [{ webhook: { webhookURL: `${host}/hook` } }] });

describe("a model that a guardrail asks for in place of the caller's", () => {
  it("is refused where the provider is not open to it, and another target may be tried", async () => {
    expect((await chat({ provider: "@closed" })).status).toBe(200);
    expect((await chat({ provider: "@closed" }, "dear")).status).toBe(403);
    expect(models).toEqual(["cheap"]);
    for (const more of [{}, { override_params: { model: "cheap" } }])
      expect(await chat({ provider: "@closed", ...more, ...rewriting() })).toMatchObject({
        status: 403,
        body: { error: { message: expect.stringContaining('"dear" is not among them') } },
      });
    const targets = [{ provider: "@closed", ...rewriting() }, { provider: "@open" }];
    expect((await chat({ strategy: { mode: "fallback" }, targets })).status).toBe(200);
    expect(models).toEqual(["cheap", "cheap"]);
  });

  it("is what policies that speak of models see, whatever a config overrides", async () => {
    expect((await chat({ provider: "@open" }, "dear")).status).toBe(429);
    for (const more of [{}, { override_params: { model: "cheap" } }])
      expect((await chat({ provider: "@open", ...more, ...rewriting() })).status).toBe(429);
    expect(models).toEqual([]);
  });
});
