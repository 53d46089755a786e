import { beforeEach, describe, expect, it } from "vitest";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startUpstream, type TestUpstream } from "../support/upstream.ts";

const whole = {
  "/v1/messages": { type: "message", content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn", usage: {} },
  "/v1/responses": { id: "resp_1", object: "response", status: "completed", output: [] },
};

/** A history in which one answer is another vendor's, given by the gateway, and one is the vendor's own. */
const histories = [
  {
    path: "/v1/messages",
    model: "anthropic/claude-sonnet-4-5",
    ask: {
      max_tokens: 100,
      later: { field: 1 },
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "signed-by:gemini:THEIRS" },
            { type: "text", text: "Hello" },
          ],
        },
        { role: "user", content: "And?" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "OURS" },
            { type: "thinking", thinking: "So.", signature: "signed-by:nobody:" },
            { type: "text", text: "Hello" },
          ],
        },
        { role: "user", content: "Well?" },
      ],
    },
  },
  {
    path: "/v1/responses",
    model: "openai/gpt-5",
    ask: {
      later: { field: 1 },
      input: [
        { role: "user", content: "Hi" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "signed-by:anthropic-messages:THEIRS" },
        { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "redacted_thinking:THEIRS" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
        { role: "user", content: "And?" },
        { type: "reasoning", id: "rs_3", summary: [], encrypted_content: "OURS" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
        { role: "user", content: "Well?" },
      ],
    },
  },
] as const;

describe.each(histories)("a history of several vendors at $path", ({ path, model, ask }) => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  beforeEach(async () => {
    upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(whole[path]));
    });
    gateway = await startTestGateway(configFor(upstream.url), secrets);
  });

  it("reaches the vendor of the client's own format without what others signed, and says so", async () => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${gatewayKey}` };
    const response = await fetch(gateway.url + path, {
      method: "POST",
      headers,
      body: JSON.stringify({ model, ...ask }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-gateway-dropped-params")).toBe("messages.thinking");
    const sent = upstream.received[0]?.body.toString() ?? "";
    expect(sent).not.toMatch(/THEIRS|signed-by|redacted_thinking/);
    expect(sent).toContain('"OURS"');
    expect(sent).toContain('"later":{"field":1}');
    expect(sent.match(/Hello/g)).toHaveLength(2);
  });
});
