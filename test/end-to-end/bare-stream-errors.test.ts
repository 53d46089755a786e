import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";

const begun = { candidates: [{ content: { parts: [{ text: "Hel" }], role: "model" }, index: 0 }], modelVersion: "m" };
const error = { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } };
const messages = [{ role: "user", content: "Hi" }];

it.each([
  ["/v1beta/models/m:streamGenerateContent?alt=sse", { contents: [{ role: "user", parts: [{ text: "Hi" }] }] }],
  ["/v1beta/models/m:streamGenerateContent", { contents: [{ role: "user", parts: [{ text: "Hi" }] }] }],
  ["/v1/chat/completions", { model: "m", stream: true, messages }],
  ["/v1/messages", { model: "m", stream: true, max_tokens: 9, messages }],
])("an error that Gemini sends as bare JSON amid a stream is told by %s", async (path, body) => {
  const url = await startRawUpstream((incoming, response) => {
    incoming.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(begun)}\n\n${JSON.stringify(error, undefined, 2)}\n`);
    });
  });
  const gateway = await startTestGateway(`
plugins: { auth-open: {}, routing: { default: google }, format-gemini: {}, format-openai-chat: {}, format-anthropic-messages: {} }
providers:
  google: { apiKey: k, baseUrl: "${url}" }
`);
  const headers = { "content-type": "application/json" };
  const response = await fetch(gateway.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect(text).toContain("Hel");
  expect(text).toContain("The model is overloaded.");
  expect(text).not.toContain("closed the stream");
});
