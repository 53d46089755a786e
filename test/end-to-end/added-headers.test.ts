import { describe, expect, it, onTestFinished } from "vitest";
import { addHeader, definePlugin, Secret, z } from "../../core/index.ts";
import { startGateway, type UpstreamAnswers } from "../../core/test-kit/index.ts";

const stamp = "stamp-0123456789";

const stamping = definePlugin({
  name: "stamping",
  summary: "Adds headers.",
  options: z.strictObject({ headers: z.record(z.string(), z.string()) }),
  setup({ hooks }, { headers }) {
    hooks.beforeRequest.tap("stamping", (request, exchange) => {
      for (const [name, value] of Object.entries(headers))
        addHeader(exchange, name, value === stamp ? new Secret(value) : value);
      return request;
    });
  },
});

const completion = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
};

async function start(headers: Readonly<Record<string, string>>, answers: UpstreamAnswers = { json: completion }) {
  const gateway = await startGateway({
    plugins: [stamping],
    config: {
      plugins: { stamping: { headers }, "auth-open": {}, routing: {}, retry: {}, proxy: {}, "format-openai-chat": {} },
      providers: { openai: { apiKey: "vendor-key-0123456789", baseUrl: "${VENDOR}", headers: { "x-of": "provider" } } },
    },
    upstreams: { VENDOR: answers },
  });
  onTestFinished(gateway.close);
  const ask = (path = "/v1/chat/completions", more: Record<string, string> = {}) =>
    gateway.fetch(path, {
      json: { model: "m", messages: [{ role: "user", content: "Hi" }] },
      headers: { "x-gateway-provider": "@openai", ...more },
    });
  return { ask, sent: () => gateway.upstreams.VENDOR.calls.map((call) => call.headers) };
}

const ways = [
  ["a request that is translated", "/v1/chat/completions"],
  ["a raw call", "/v1/proxy/anything"],
] as const;

describe.each(ways)("a header that a tap adds to %s", (_, path) => {
  it("is sent, in place of the client's own", async () => {
    const { ask, sent } = await start({ "X-Stamp": stamp, "x-team": "red" });
    expect((await ask(path, { "x-stamp": "client", "x-gateway-forward-headers": "x-stamp" })).status).toBe(200);
    expect(sent()).toMatchObject([
      { "x-stamp": stamp, "x-team": "red", authorization: "Bearer vendor-key-0123456789" },
    ]);
  });

  it("replaces none of the provider's", async () => {
    const { ask, sent } = await start({ "x-of": "plugin" });
    await ask(path);
    expect(sent()).toMatchObject([{ "x-of": "provider" }]);
  });

  it.each(["authorization", "X-Api-Key", "host", "connection", "content-length"])("is not %s", async (name) => {
    const { ask, sent } = await start({ [name]: "x" });
    const answer = await ask(path);
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining(`[plugin stamping] beforeRequest: the header \\"${name}\\" cannot be added`),
    ]);
    expect(sent()).toEqual([]);
  });

  it("is one header", async () => {
    const { ask, sent } = await start({ "x-team": "red\r\nx-other: blue" });
    expect((await ask(path)).status).toBe(500);
    expect(sent()).toEqual([]);
  });
});

it("goes with a retry, too, which asks no tap", async () => {
  const { ask, sent } = await start({ "x-team": "red" }, [
    { status: 503, json: { error: { message: "Later." } }, headers: { "retry-after-ms": "1" } },
    { json: completion },
  ]);
  const config = JSON.stringify({ provider: "@openai", retry: { attempts: 1 } });
  const answer = await ask(undefined, { "x-gateway-config": config, "x-gateway-provider": "" });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Hello")]);
  expect(sent()).toMatchObject([{ "x-team": "red" }, { "x-team": "red" }]);
});

it("is not told to the client where it is a secret, and the vendor quotes it", async () => {
  const { ask } = await start(
    { "x-stamp": stamp },
    { status: 401, json: { error: { message: `No stamp ${stamp}.` } } },
  );
  expect(await (await ask()).text()).toContain("No stamp ***.");
});
