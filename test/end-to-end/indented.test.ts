import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";

it.each([
  ["an answer of a provider", "/v1/embeddings?pretty", { model: "demo", input: "x" }],
  ["an answer of the gateway's own", "/v1/whoami/completions.write?pretty=1", undefined],
  ["a refusal", "/v1/embeddings?a=b&pretty", []],
])("`?pretty` indents %s (inference-api.md section 1)", async (_, path, body) => {
  const { url } = await startTestGateway(`
plugins:
  auth-open: {}
  whoami: { use: ./support/whoami.ts }
  routing: { default: simulator }
  format-openai-embeddings: {}
providers:
  simulator: {}
`);
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : {});
  const text = await answer.text();
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
});
