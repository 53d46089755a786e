import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type OpenAI from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { startFreeGateway, type TestGateway } from "../support/gateway.ts";

let gateway: TestGateway;
const bodies: unknown[] = [];
const vendor = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    bodies.push(JSON.parse(Buffer.concat(pieces).toString()));
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"text":"Rayleigh.","finish_reason":"stop","metadata":{"input_tokens":4,"generated_tokens":2}}');
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const { port } = vendor.address() as AddressInfo;
  gateway = await startFreeGateway(`
plugins:
  auth-open: {}
  routing: { default: reka-ai }
  format-openai-chat: {}
providers:
  reka-ai: { apiKey: k, baseUrl: "http://127.0.0.1:${port}" }
`);
});
afterAll(async () => {
  await gateway.shutdown(0, 0);
  vendor.close();
});

it("gives a stream to clients of vendors that have none, and asks them for none", async () => {
  const stream = await openAiClient({ url: gateway.url }).chat.completions.create({
    model: "reka-flash",
    messages: [{ role: "user", content: "Why?" }],
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Rayleigh.");
  expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
  expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 2 });
  expect(bodies).toEqual([{ model_name: "reka-flash", conversation_history: [{ type: "human", text: "Why?" }] }]);
});
