import { beforeEach, describe, expect, it } from "vitest";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream, type TestUpstream } from "../support/upstream.ts";

const head = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" };
const usage = { input_tokens: 10, output_tokens: 20 };
const call = { type: "tool_use", id: "toolu_1", name: "shop_crm_get-one", input: { id: "7" } };

const events = [
  { type: "message_start", message: { ...head, content: [], stop_reason: null, usage } },
  { type: "content_block_start", index: 0, content_block: { ...call, input: {} } },
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"id":"7"}' } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: "message_stop" },
];

const own = "shop.crm:get-one";
const asked = {
  contents: [
    { role: "user", parts: [{ text: "Look." }] },
    { role: "model", parts: [{ functionCall: { id: "1", name: own, args: { id: "6" } } }] },
    { role: "user", parts: [{ functionResponse: { id: "1", name: own, response: { output: "None." } } }] },
  ],
  tools: [{ functionDeclarations: [{ name: own, description: "Reads.", parameters: { type: "OBJECT" } }] }],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [own] } },
};

describe("tools whose names the vendor refuses", () => {
  let upstream: TestUpstream;
  let ask: (method: string) => Promise<string>;

  beforeEach(async () => {
    upstream = await startUpstream(({ body }, response) => {
      if (!JSON.parse(body.toString()).stream)
        return json(response, 200, { ...head, content: [call], stop_reason: "tool_use", stop_sequence: null, usage });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
    });
    const gateway = await startTestGateway(configFor(upstream.url), secrets);
    ask = async (method) => {
      const response = await fetch(`${gateway.url}/v1beta/models/anthropic/claude-sonnet-4-5:${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-goog-api-key": gatewayKey },
        body: JSON.stringify(asked),
      });
      expect(response.status).toBe(200);
      return response.text();
    };
  });

  it("have names like theirs for the vendor, and their own for the client", async () => {
    expect(JSON.parse(await ask("generateContent")).candidates[0].content.parts).toMatchObject([
      { functionCall: { name: own, args: { id: "7" } } },
    ]);
    const sent = JSON.parse(upstream.received.at(-1)?.body.toString() ?? "{}");
    expect(sent.tools).toMatchObject([{ name: call.name }]);
    expect(sent.tool_choice).toMatchObject({ type: "tool", name: call.name });
    expect(sent.messages[1].content).toMatchObject([{ type: "tool_use", name: call.name, input: { id: "6" } }]);
    expect(JSON.stringify(sent)).not.toContain(own);
  });

  it("are called by their own names in streams, too", async () => {
    const text = await ask("streamGenerateContent?alt=sse");
    expect(text).toContain(`"name":"${own}"`);
    expect(text).not.toContain(call.name);
  });
});
