import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../core/cli/explain/explanation.ts";
import { explain } from "../../core/cli/explain.ts";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { environmentOf } from "../../core/config/index.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const keys = { ALPHA_KEY: "key-of-alpha-0123456789", BETA_KEY: "key-of-beta-0123456789" };

/** Two stored providers of one vendor, strategies, and some saved configs. */
const configFor = (vendor: string, routing = "") => `
plugins:
  auth-open: {}
  routing:
    configs:
      backup:
        strategy: { mode: fallback, on_status_codes: [429, 500, 503] }
        targets:
          - provider: "@alpha"
          - { provider: "@beta", override_params: { model: beta-large } }
      shaped:
        provider: "@alpha"
        default_params: { temperature: 0.2 }
        drop_params: [logprobs]
        forward_headers: [X-Tenant, { from: x-request-source, to: x-source }]
        api_key: "\${BETA_KEY}"
      by-plan:
        strategy:
          mode: conditional
          conditions: [{ query: { metadata.plan: gold }, then: best }]
          default: rest
        targets:
          - { name: best, provider: "@beta" }
          - { name: rest, provider: "@simulator" }
${routing}
  strategy-fallback: {}
  strategy-conditional: {}
  retry: {}
  format-openai-chat: {}
  format-anthropic-messages: {}
  proxy: {}
providers:
  simulator: {}
  alpha: { use: openai, apiKey: "\${ALPHA_KEY}", baseUrl: ${vendor}/alpha }
  beta: { use: openai, apiKey: "\${BETA_KEY}", baseUrl: ${vendor}/beta }
`;

const completion = (model: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model,
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
});

/** A vendor whose alpha side answers as it is told, and a gateway before it. */
async function start({ alpha = 200, routing = "" } = {}) {
  const upstream = await startUpstream(({ url, body }, response) => {
    const status = url.startsWith("/alpha") ? alpha : 200;
    const { model = "none" } = JSON.parse(body.toString() || "{}") as { model?: string };
    json(response, status, status === 200 ? completion(model) : { error: { message: "no", type: "t" } });
  });
  const gateway = await startTestGateway(configFor(upstream.url, routing), keys);
  return {
    upstream,
    async ask(config: unknown, more: { headers?: Record<string, string>; body?: object; path?: string } = {}) {
      const response = await fetch(`${gateway.url}${more.path ?? "/v1/chat/completions"}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(config !== undefined && {
            "x-gateway-config": typeof config === "string" ? config : JSON.stringify(config),
          }),
          ...more.headers,
        },
        body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello?" }], ...more.body }),
      });
      const { headers } = response;
      return {
        status: response.status,
        used: headers.get("x-gateway-last-used-option-index"),
        provider: headers.get("x-gateway-provider"),
        body: (await response.json()) as Record<string, unknown>,
      };
    },
    sent: () => upstream.received.map(({ url, body }) => [url, JSON.parse(body.toString() || "{}")?.model]),
  };
}

describe("a saved fallback", () => {
  it.each([
    { alpha: 200, status: 200, used: "config.targets[0]", calls: 1 },
    { alpha: 429, status: 200, used: "config.targets[1]", calls: 2 },
    { alpha: 400, status: 400, used: "config.targets[0]", calls: 1 },
  ])("with $alpha from the first is answered by $used", async ({ alpha, status, used, calls }) => {
    const { ask, sent } = await start({ alpha });
    expect(await ask("backup")).toMatchObject({ status, used });
    expect(sent()).toEqual(
      [
        ["/alpha/chat/completions", "m"],
        ["/beta/chat/completions", "beta-large"],
      ].slice(0, calls),
    );
  });

  it("is what requests get that name none, where it is the default", async () => {
    const { ask } = await start({ alpha: 503, routing: "    defaultConfig: backup" });
    expect(await ask(undefined)).toMatchObject({ status: 200, used: "config.targets[1]", provider: "openai" });
  });

  it("holds on raw calls as well, whose JSON is shaped", async () => {
    const { ask, sent } = await start({ alpha: 503 });
    expect(await ask("backup", { path: "/v1/proxy/moderations" })).toMatchObject({ status: 200 });
    expect(sent()).toEqual([
      ["/alpha/moderations", "m"],
      ["/beta/moderations", "beta-large"],
    ]);
  });
});

describe("an inline config", () => {
  it("routes, with keys in either spelling", async () => {
    const { ask, sent } = await start({ alpha: 500 });
    const targets = [{ provider: "@alpha" }, { provider: "@simulator", overrideParams: { model: "demo" } }];
    const config = { strategy: { mode: "fallback", onStatusCodes: [500] }, targets };
    expect(await ask(config)).toMatchObject({ status: 200, provider: "simulator", body: { model: "demo" } });
    expect(sent()).toEqual([["/alpha/chat/completions", "m"]]);
  });

  it("goes on from a leaf that cannot be called, and says so when none can", async () => {
    const { ask } = await start();
    const none = { provider: "@none" };
    const strategy = { mode: "fallback" };
    expect(await ask({ strategy, targets: [none, { provider: "@beta" }] })).toMatchObject({
      status: 200,
      used: "config.targets[1]",
    });
    expect(await ask({ strategy, targets: [none, none] })).toMatchObject({
      status: 400,
      used: "config.targets[1]",
      provider: null,
      body: { status: "failure", message: expect.stringContaining("@none") },
    });
  });

  it("is told every mistake", async () => {
    const { ask, sent } = await start();
    expect(await ask({ retry: {}, targets: [{ provider: "@alpha", weight: -1 }], cache: "simple" })).toMatchObject({
      status: 400,
      body: {
        status: "failure",
        message: "The routing config is not valid",
        errors: [
          "path: retry.attempts, message: required",
          "path: cache, message: no plugin that is loaded here knows this field",
          "path: targets.0.weight, message: must be 0 or more",
        ],
        // What OpenAI's SDK shows, and keeps of the body, is this object.
        error: {
          message: expect.stringMatching(
            /^The routing config is not valid: path: retry\.attempts, message: required; .*; path: targets\.0\.weight, .*; found the number -1$/,
          ),
        },
      },
    });
    expect(sent()).toEqual([]);
  });

  it("brings a host and a key of its own, and never gets the stored one there", async () => {
    const { ask, upstream } = await start();
    const host = { custom_host: `${upstream.url}/own` };
    await ask({ provider: "@alpha", ...host });
    await ask({ provider: "openai", api_key: "mine", ...host });
    expect(upstream.received.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/own/chat/completions", undefined],
      ["/own/chat/completions", "Bearer mine"],
    ]);
  });
});

it("shapes the body and forwards the headers the config names, or those the request names instead", async () => {
  const { ask, upstream } = await start();
  const headers = { "x-tenant": "t", "x-request-source": "s", "x-other": "o" };
  await ask("shaped", { headers, body: { logprobs: true } });
  await ask("shaped", { headers: { ...headers, "x-gateway-forward-headers": "X-Other" } });
  const [first, second] = upstream.received;
  expect(first?.headers).toMatchObject({
    "x-tenant": "t",
    "x-source": "s",
    authorization: `Bearer ${keys.BETA_KEY}`,
  });
  expect(first?.headers).not.toHaveProperty("x-other");
  expect(JSON.parse(String(first?.body))).toEqual({
    temperature: 0.2,
    model: "m",
    messages: [{ role: "user", content: "Hello?" }],
  });
  expect(second?.headers).toMatchObject({ "x-other": "o" });
  expect(second?.headers).not.toHaveProperty("x-source");
});

it("ends with a timeout of the config, and with the header's in place of it", async () => {
  const { ask } = await start();
  const config = { provider: "@simulator", request_timeout: 40, override_params: { model: "fault-silence" } };
  const message = (milliseconds: number) => expect.stringContaining(`within ${milliseconds} ms`);
  expect(await ask(config)).toMatchObject({ status: 408, body: { error: { message: message(40) } } });
  const headers = { "x-gateway-request-timeout": "20" };
  expect(await ask(config, { headers })).toMatchObject({ status: 408, body: { error: { message: message(20) } } });
});

it("lets a request set each clock for itself", async () => {
  const { ask } = await start();
  const config = { provider: "@simulator", override_params: { model: "fault-silence" } };
  const headers = { "x-gateway-headers-timeout": "30" };
  expect(await ask(config, { headers })).toMatchObject({ status: 408 });
});

it("counts a time that is no number as none, and takes a very long one for what it is", async () => {
  const { ask } = await start();
  const config = { provider: "@simulator", request_timeout: 30, override_params: { model: "fault-silence" } };
  const endless = { "x-gateway-request-timeout": "Infinity" };
  expect(await ask(config, { headers: endless })).toMatchObject({
    status: 408,
    body: { error: { message: expect.stringContaining("within 30 ms") } },
  });
  const years = { "x-gateway-request-timeout": "99999999999" };
  expect(await ask({ provider: "@alpha", request_timeout: 99_999_999_999 })).toMatchObject({ status: 200 });
  expect(await ask({ provider: "@alpha" }, { headers: years })).toMatchObject({ status: 200 });
});

it("refuses what was not saved, where only that may route", async () => {
  const { ask } = await start({ routing: "    blockInlineConfig: true" });
  expect(await ask({ provider: "@alpha" })).toMatchObject({
    status: 400,
    body: { error: { code: "inline_config_blocked", field: "x-gateway-config" } },
  });
  expect(await ask(undefined, { headers: { "x-gateway-provider": "openai" } })).toMatchObject({
    body: { error: { code: "inline_provider_blocked", field: "x-gateway-provider" } },
  });
  expect(await ask("backup")).toMatchObject({ status: 200 });
  expect(await ask(undefined, { headers: { "x-gateway-virtual-key": "alpha" } })).toMatchObject({ status: 200 });
});

it("does not start with a mistake in a saved config", async () => {
  const routing = "      wrong: { provder: openai, retry: { attempts: many } }";
  await expect(start({ routing })).rejects.toThrow(
    /configs\.wrong\.provder: is not known; did you mean "provider"\?\n.*configs\.wrong\.retry/,
  );
});

describe("sluice explain", () => {
  const explained = async (header: string[], json = true) => {
    const folder = temporaryFolder({
      "gateway.yaml": configFor("https://vendor.example"),
      "request.json": JSON.stringify({ model: "m", messages: [] }),
    });
    const result = await explain(
      join(folder, "gateway.yaml"),
      { request: join(folder, "request.json"), header, json },
      { environment: environmentOf(keys) },
    );
    expect(result).toMatchObject({ exitCode: 0, err: "" });
    for (const key of Object.values(keys)) expect(result.out).not.toContain(key);
    return result.out;
  };

  it("tells why a request goes where it goes", async () => {
    const told = JSON.parse(
      await explained(["x-gateway-config: by-plan", 'x-gateway-metadata: {"plan":"gold"}']),
    ) as Explanation;
    expect(told.decisions).toEqual([
      { path: "config", message: "condition 0 holds: best" },
      { path: "config.targets[0]", message: "provider @beta, named here" },
    ]);
    expect(told.route).toMatchObject({ plugin: "routing", targets: [{ path: "config.targets[0]" }] });
  });

  it("is a page for people, and shows no key of a saved config", async () => {
    const page = await explained(["x-gateway-config: shaped"], false);
    expect(page).toContain("Why it goes there\n  config  provider @alpha, named here");
    expect(page).toContain("authorization: Bearer ***");
  });
});
