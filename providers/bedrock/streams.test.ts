import Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { json } from "../../test/support/upstream.ts";
import { answer, claude, exception, frames, inner, messages, setUp, streaming } from "./testing.ts";

const said = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content: [{ type: "text", text: "Hi." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};
const claudeStream = frames(
  inner({ type: "message_start", message: { ...said, content: [], stop_reason: null } }),
  inner({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  inner({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi." } }),
  inner({ type: "content_block_stop", index: 0 }),
  inner({
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 2 },
  }),
  inner({ type: "message_stop", "amazon-bedrock-invocationMetrics": { inputTokenCount: 3, outputTokenCount: 2 } }),
);

it("serves Claude to its own clients in its own format, by an invocation", async () => {
  const { gateway, sent } = await setUp((request, response, incoming) =>
    request.url.endsWith("/invoke")
      ? json(response, 200, said)
      : streaming(claudeStream.subarray(0, 90), claudeStream.subarray(90))(request, response, incoming),
  );
  const client = new Anthropic({ apiKey: "none", authToken: null, baseURL: gateway.url, maxRetries: 0 });
  const cached = { type: "text" as const, text: "Hello", cache_control: { type: "ephemeral" as const, scope: "all" } };
  const asked = { model: claude, max_tokens: 9, messages: [{ role: "user" as const, content: [cached] }] };
  const betas = { headers: { "anthropic-beta": "files-api-2025-04-14, advanced-tool-use-2025-11-20,mine" } };
  expect(await client.messages.create(asked, betas)).toMatchObject(said);
  expect(sent()?.url).toBe(`/model/${encodeURIComponent(claude)}/invoke`);
  expect(JSON.parse(`${sent()?.body}`)).toEqual({
    anthropic_version: "bedrock-2023-05-31",
    anthropic_beta: ["tool-search-tool-2025-10-19", "mine"],
    max_tokens: 9,
    messages: [{ role: "user", content: [{ ...cached, cache_control: { type: "ephemeral" } }] }],
  });
  const streamed = await client.messages.stream(asked).finalMessage();
  expect(streamed).toMatchObject({
    id: "msg_1",
    content: [{ type: "text", text: "Hi." }],
    usage: { output_tokens: 2 },
  });
  expect(sent()?.url).toMatch(/\/invoke-with-response-stream$/);
});

it("lets those clients have a context compacted, and names what its host cannot do about one", async () => {
  const { ask, sent } = await setUp((_, response) => json(response, 200, said));
  const compact = { type: "compact_20260112" };
  const edits = [{ type: "clear_thinking_20251015", keep: "all" }, compact];
  const betas = {
    "anthropic-beta": "context-management-2025-06-27,compact-2026-01-12",
    "anthropic-user-profile-id": "u1",
  };
  const reply = await ask(
    "/v1/messages",
    { model: claude, max_tokens: 9, messages, context_management: { edits } },
    betas,
  );
  expect(reply.headers.get("x-gateway-dropped-params")).toBe("context_management");
  expect(JSON.parse(`${sent()?.body}`)).toMatchObject({
    context_management: { edits: [compact] },
    anthropic_beta: ["context-management-2025-06-27", "compact-2026-01-12"],
    user_profile_id: "u1",
  });
});

it("serves other models to those clients by Converse", async () => {
  const { ask, sent } = await setUp((_, response) => json(response, 200, answer));
  const reply = await ask("/v1/messages", { model: "amazon.nova-pro-v1:0", max_tokens: 9, messages });
  expect(await reply.json()).toMatchObject({ content: [{ type: "text", text: "Hi." }], stop_reason: "end_turn" });
  expect(sent()?.url).toBe("/model/amazon.nova-pro-v1%3A0/converse");
});

it.each([
  ["throttlingException", 429],
  ["serviceUnavailableException", 503],
])("a stream that begins with %s has failed with status %i, in either format", async (type, status) => {
  const { chat, ask } = await setUp(streaming(exception(type, "not now")));
  const reply = await chat({ stream: true });
  expect([reply.status, await reply.json()]).toMatchObject([
    status,
    { error: { message: "bedrock error: not now", type } },
  ]);
  const claudes = await ask("/v1/messages", { model: claude, max_tokens: 9, messages, stream: true });
  expect([claudes.status, await claudes.json()]).toMatchObject([
    status,
    { error: { message: "bedrock error: not now" } },
  ]);
});

const begun = frames(
  ["messageStart", { role: "assistant" }],
  ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Half" } }],
);
it.each([
  ["an exception", exception("modelStreamErrorException", "it broke"), "it broke"],
  ["bytes that are damaged", Buffer.from(begun.map((byte, at) => (at === 40 ? byte ^ 1 : byte))), "damaged"],
  ["its end", Buffer.alloc(0), "finished"],
])("a stream that goes wrong with %s ends with an error and no terminator", async (_, last, told) => {
  const { chat, gateway } = await setUp(streaming(begun, last));
  const text = await (await chat({ stream: true })).text();
  expect(text).toContain("Half");
  expect(text).toContain(told);
  expect(text).not.toContain("[DONE]");
  const own = await fetch(`${gateway.url}/model/${encodeURIComponent(claude)}/converse-stream`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content: [{ text: "Hello" }] }] }),
  });
  const bytes = Buffer.from(await own.arrayBuffer()).toString("latin1");
  expect(bytes).toContain("Exception");
  expect(bytes).not.toContain("messageStop");
});

it("passes the bytes of its own clients through, both ways", async () => {
  const whole = Buffer.concat([
    begun,
    frames(["messageStop", { stopReason: "end_turn", odd: 1 }], ["metadata", { usage: answer.usage, other: [2] }]),
  ]);
  const { gateway, sent } = await setUp(streaming(whole.subarray(0, 33), whole.subarray(33)));
  const body = '{ "messages" : [{"role":"user","content":[{"text":"Hello"}]}], "unheardOf": {"a": 1} }';
  const reply = await fetch(`${gateway.url}/model/some.model-v1%3A0/converse-stream`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "AWS4-HMAC-SHA256 Credential=x" },
    body,
  });
  expect(reply.headers.get("content-type")).toBe("application/vnd.amazon.eventstream");
  expect(Buffer.from(await reply.arrayBuffer()).equals(whole)).toBe(true);
  expect(`${sent()?.body}`).toBe(body);
  expect(sent()?.headers.authorization).toContain("AKIDFILE");
});
