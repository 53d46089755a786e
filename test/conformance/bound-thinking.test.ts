import { expect, it } from "vitest";
import type { Format } from "../../core/index.ts";
import type { BoundProvider } from "../../core/model/provider.ts";
import { type Manner, prepare } from "../../core/pipeline/attempt/prepare.ts";
import type { ExchangeState } from "../../core/pipeline/exchange-state.ts";
import { wireRequest } from "../../core/pipeline/request/wire-request.ts";
import type { Road } from "../../core/pipeline/road.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { chatFormats } from "./pairs.ts";

const road = { formats: new Map(chatFormats.map((one) => [one.name, one])) } as unknown as Road;
const bodyHeaders = { anthropic_beta: "anthropic-beta" };
const chat = [{ format: "anthropic-messages", path: "/messages", leavesOutThinking: true, bodyHeaders }];
const provider = { name: "acme", operations: { chat } } as unknown as BoundProvider;

const thinking = { type: "thinking", thinking: "Hm.", signature: "PROOF" };
const messages = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Yes?", content_blocks: [thinking, { type: "text", text: "Yes?" }] },
  { role: "user", content: "Why?" },
];

function prepared(manner: Manner) {
  const bytes = Buffer.from(JSON.stringify({ model: "claude-opus-5-5", messages }));
  const exchange = { headers: {}, gatewayHeaders: new Map(), metadata: {}, droppedParams: new Set<string>() };
  const request = wireRequest(bytes, openAiChat as unknown as Format);
  const { body, headerWords } = prepare(road, exchange as unknown as ExchangeState, provider, request, manner);
  return { wire: JSON.parse(body.toString()), headerWords };
}

it("asks for thinking to be left out in a request with a header of its own, not in a line of a batch", () => {
  const one = prepared({});
  expect(one.wire.thinking.block_binding).toEqual({ prefix_mismatch_behavior: "drop_block" });
  expect(one.headerWords).toEqual({ "anthropic-beta": "thinking-binding-controls-2026-08-01" });
  const line = prepared({ apart: true });
  expect(line.wire.messages[1].content[0]).toEqual(thinking);
  expect(line.wire).not.toHaveProperty("thinking");
  expect(line.headerWords).toBeUndefined();
});
