import { describe, expect, it } from "vitest";
import { json } from "../../test/support/upstream.ts";
import { takesTimes } from "./cache-times.ts";
import { answer, claude, setUp } from "./testing.ts";

describe("how long to keep what is cached", () => {
  it.each([
    ["anthropic.claude-sonnet-4-5-20250929-v1:0", true],
    ["us.anthropic.claude-haiku-4-5-20251001-v1:0", true],
    ["global.anthropic.claude-opus-4-5-20251101-v1:0", true],
    ["anthropic.claude-opus-4-6-v1", true],
    ["anthropic.claude-sonnet-5-v1:0", true],
    ["arn:aws:bedrock:eu-west-1:111122223333:inference-profile/eu.anthropic.claude-opus-4-8", true],
    ["arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc", true],
    ["anthropic.claude-opus-4-20250514-v1:0", false],
    ["us.anthropic.claude-sonnet-4-20250514-v1:0", false],
    ["anthropic.claude-opus-4-1-20250805-v1:0", false],
    ["anthropic.claude-3-7-sonnet-20250219-v1:0", false],
    ["anthropic.claude-3-5-haiku-20241022-v1:0", false],
    ["anthropic.claude-v2:1", false],
    ["amazon.nova-pro-v1:0", false],
    ["eu.amazon.nova-lite-v1:0", false],
    ["arn:aws:bedrock:eu-west-1::foundation-model/amazon.nova-micro-v1:0", false],
  ])("is told to %s: %s", (model, taken) => {
    expect(takesTimes(model)).toBe(taken);
  });
});

const marked = (ttl?: string) => ({ cache_control: { type: "ephemeral", ...(ttl && { ttl }) } });

/** What a client of the Messages API asks, with a marker in each place that may have one. */
const asked = (model: string, ttl?: string) => ({
  model,
  max_tokens: 9,
  system: [{ type: "text", text: "Be brief.", ...marked(ttl) }],
  messages: [{ role: "user", content: [{ type: "text", text: "Hello", ...marked(ttl) }] }],
});

const point = (ttl?: string) => ({ cachePoint: { type: "default", ...(ttl && { ttl }) } });

const nova = "amazon.nova-pro-v1:0";
const lost = "messages.cache_control.ttl";

it.each<[string, string, string | undefined, string | undefined, string | null]>([
  ["an hour, for Nova", nova, "1h", undefined, lost],
  ["what is usual, for Nova", nova, "5m", undefined, null],
  ["nothing, for Nova", nova, undefined, undefined, null],
  ["an hour, for a Claude that takes none", "anthropic.claude-3-7-sonnet-20250219-v1:0", "1h", undefined, lost],
])("clients of the Messages API ask for %s", async (_, model, ttl, sentTtl, dropped) => {
  const { ask, sent } = await setUp((_request, response) => json(response, 200, answer));
  // Claude is asked in its own format by these clients: chat completions are what is translated for all.
  const { system, messages, max_tokens } = asked(model, ttl);
  const chat = { model, max_tokens, messages: [{ role: "system", content: system }, ...messages] };
  const reply = model === nova ? await ask("/v1/messages", asked(model, ttl)) : await ask("/v1/chat/completions", chat);
  expect(reply.status).toBe(200);
  expect(JSON.parse(`${sent()?.body}`)).toMatchObject({
    system: [{ text: "Be brief." }, point(sentTtl)],
    messages: [{ role: "user", content: [{ text: "Hello" }, point(sentTtl)] }],
  });
  expect(`${sent()?.body}`).not.toContain("ttl");
  expect(reply.headers.get("x-gateway-dropped-params")).toBe(dropped);
});

it("a Claude that keeps what is cached for an hour is told so", async () => {
  const { chat, sent } = await setUp((_, response) => json(response, 200, answer));
  const reply = await chat({ model: claude, messages: asked(claude, "1h").messages });
  expect(JSON.parse(`${sent()?.body}`)).toMatchObject({ messages: [{ content: [{ text: "Hello" }, point("1h")] }] });
  expect(reply.headers.get("x-gateway-dropped-params")).toBeNull();
});

it("a client of Converse says what it says", async () => {
  const { ask, sent } = await setUp((_, response) => json(response, 200, answer));
  const body = { messages: [{ role: "user", content: [{ text: "Hello" }, point("1h")] }] };
  await ask(`/model/${nova}/converse`, body);
  expect(JSON.parse(`${sent()?.body}`)).toEqual(body);
});
