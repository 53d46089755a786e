import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";

const plugins = `
plugins:
  auth-open: {}
  routing: {}
  format-openai-chat: {}
  format-openai-embeddings: {}
  format-openai-images: {}
  format-openai-moderations: {}
`;

it.each([
  ["/v1/chat/completions", 200],
  ["/v1/embeddings", 200],
  ["/v1/images/generations", 400],
  ["/v1/moderations", 400],
])("nitro mode at %s is a %i (inference-api.md section 22.3)", async (path, status) => {
  let calls = 0;
  const vendor = await startRawUpstream((incoming, response) => {
    calls++;
    incoming.resume();
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const { url } = await startTestGateway(`${plugins}
providers:
  openai: { baseUrl: "${vendor}", apiKey: key-of-openai }
`);
  const headers = {
    "content-type": "application/json",
    "x-gateway-provider": "@openai",
    "x-gateway-nitro-mode": "true",
  };
  const answer = await fetch(url + path, { method: "POST", headers, body: '{"model":"m","input":"x","prompt":"x"}' });
  expect([answer.status, calls]).toEqual([status, status === 200 ? 1 : 0]);
  if (status === 400) expect(await answer.json()).toMatchObject({ status: "failure", error: { param: "nitro-mode" } });
});
