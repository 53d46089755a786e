import { expect, it } from "vitest";
import { startTestGateway } from "../test/support/gateway.ts";
import { json, startUpstream } from "../test/support/upstream.ts";

it("is asked for a host where it has none (inference-api.md section 22.4)", async () => {
  const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  routing: {}
  format-openai-chat: {}
providers: {}
`);
  const headers = { "content-type": "application/json", "x-gateway-provider": "passthrough" };
  const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body: '{"model":"m"}' });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { status: "failure", message: expect.stringContaining("x-gateway-custom-host") },
  ]);
});

it.each<[string, string, Record<string, string>]>([
  ["in the header", "passthrough", {}],
  ["in the header, from the file", "onward", {}],
  ["in the header, as a stored one", "@onward", {}],
  ["by a config without one", "passthrough", { "x-gateway-config": '{"retry":{"attempts":1}}' }],
  ["by a config", "", { "x-gateway-config": '{"provider":"onward"}' }],
])("gets the body as it came, with a slug in front of the model, where it is named %s", async (_, name, more) => {
  const upstream = await startUpstream((__, response) => json(response, 200, { own: "answer" }));
  const gateway = await startTestGateway(
    JSON.stringify({
      server: { trustedHosts: ["127.0.0.1"] },
      plugins: {
        "auth-open": {},
        routing: {},
        retry: {},
        "format-anthropic-messages": {},
        "format-openai-chat": {},
        "format-rerank": {},
      },
      providers: {
        onward: { use: "passthrough", baseUrl: upstream.url },
        mine: { use: "openai", apiKey: "key-0123456789", baseUrl: "http://127.0.0.1:9" },
      },
    }),
  );
  const headers: Record<string, string> = { "content-type": "application/json", ...more };
  if (name !== "") headers["x-gateway-provider"] = name;
  if (name === "passthrough") headers["x-gateway-custom-host"] = upstream.url;
  for (const model of ["@mine/m", "@theirs/m"]) {
    const body = ` {"model" : "${model}", "messages": []}`;
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toEqual([200, { own: "answer" }]);
    expect(upstream.received.at(-1)).toMatchObject({ url: "/messages", body: Buffer.from(body) });
  }
  const within =
    ' {"rerankingConfiguration": {"bedrockRerankingConfiguration": {"modelConfiguration": {"modelArn": "m"}}}}';
  expect((await fetch(`${gateway.url}/rerank`, { method: "POST", headers, body: within })).status).toBe(200);
  expect(upstream.received.at(-1)).toMatchObject({ url: "/rerank", body: Buffer.from(within) });
});
