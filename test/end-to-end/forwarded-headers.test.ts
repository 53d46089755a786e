import { describe, expect, it, onTestFinished } from "vitest";
import { startGateway } from "../../core/test-kit/index.ts";

const answer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
};

async function start() {
  const gateway = await startGateway({
    config: {
      server: { headers: { ignored: ["x-kept"] } },
      plugins: { "auth-open": {}, routing: {}, retry: {}, proxy: {}, "format-openai-chat": {} },
      providers: { openai: { apiKey: "vendor-key-0123456789", baseUrl: "${VENDOR}" } },
    },
    upstreams: { VENDOR: { json: answer } },
  });
  onTestFinished(gateway.close);
  const ask = (path: string, headers: Record<string, string>) =>
    gateway.fetch(path, {
      json: { model: "m", messages: [{ role: "user", content: "Hi" }] },
      headers: { "x-gateway-provider": "@openai", ...headers },
    });
  return { ask, sent: () => gateway.upstreams.VENDOR.calls.map((call) => call.headers) };
}

const ways: [string, string, Record<string, string>][] = [
  ["a request that may be translated", "/v1/chat/completions", {}],
  ["a raw call", "/v1/proxy/anything", {}],
  ["a request in nitro mode", "/v1/chat/completions", { "x-gateway-nitro-mode": "true" }],
];

describe.each(ways)("%s", (_, path, mode) => {
  const sent = { cookie: "session=1", "cf-ray": "7a", "x-request-source": "app" };

  it("brings what it asks to have forwarded, also what would stay here by itself", async () => {
    const gateway = await start();
    const list = "Cookie, cf-ray";
    expect((await gateway.ask(path, { ...mode, ...sent, "x-gateway-forward-headers": list })).status).toBe(200);
    expect(gateway.sent()).toMatchObject([{ cookie: "session=1", "cf-ray": "7a" }]);
  });

  it("keeps here what nobody asks for, and the provider's credential in its place", async () => {
    const gateway = await start();
    await gateway.ask(path, {
      ...mode,
      ...sent,
      "x-gateway-forward-headers": "authorization",
      authorization: "Bearer x",
    });
    expect(gateway.sent()).toMatchObject([{ authorization: "Bearer vendor-key-0123456789" }]);
    expect(gateway.sent()[0]).not.toHaveProperty("cookie");
    expect(gateway.sent()[0]).not.toHaveProperty("cf-ray");
  });

  it("has headers of the client under the names that its config gives them", async () => {
    const gateway = await start();
    const forwards = ["cookie", { from: "x-request-source", to: "x-source" }];
    const config = JSON.stringify({ provider: "@openai", forward_headers: forwards });
    await gateway.ask(path, { ...mode, ...sent, "x-gateway-config": config });
    expect(gateway.sent()).toMatchObject([{ cookie: "session=1", "x-source": "app" }]);
  });

  it.each(["x-gateway-forward-headers", "metadata-flavor", "host"])("is refused where it names %s", async (name) => {
    const gateway = await start();
    const refused = await gateway.ask(path, { ...mode, "x-gateway-forward-headers": `x-team, ${name}` });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ status: "failure", error: { param: name } });
    expect(gateway.sent()).toEqual([]);
  });
});

it("leaves out of raw calls what the operator keeps here, whoever asks for it", async () => {
  const gateway = await start();
  await gateway.ask("/v1/proxy/anything", { "x-kept": "1", "x-gateway-forward-headers": "x-kept" });
  expect(gateway.sent()[0]).not.toHaveProperty("x-kept");
});
