import { describe, expect, it } from "vitest";
import type { AssistantPart, ChatRequest, Message } from "../../../core/index.ts";
import { anthropicCount, anthropicMessages } from "../index.ts";

const text = (value: string) => [{ type: "text" as const, text: value }];
const thought: AssistantPart = { type: "thinking", text: "Hm.", signature: "PROOF" };
const hidden: AssistantPart = { type: "redacted-thinking", data: "PROOF" };
const history = (...parts: readonly AssistantPart[]): Message[] => [
  { role: "user", content: text("Hi") },
  { role: "assistant", content: [...parts, ...text("Yes?")] },
  { role: "user", content: text("Why?") },
];
const beta = "thinking-binding-controls-2026-08-01";
const left = { block_binding: { prefix_mismatch_behavior: "drop_block" } };

const asked = (fields: Partial<ChatRequest> = {}, leavesOutThinking = true) =>
  anthropicMessages.encodeRequest(
    { model: "claude-opus-5-5", messages: history(thought), stream: false, ...fields },
    () => {},
    { leavesOutThinking },
  );
const chat = (fields: Record<string, unknown>) => ({ extra: { format: "openai-chat", fields } });
const plain = { anthropic_beta: undefined, thinking: undefined };

describe("thinking that does not belong to its conversation any more", () => {
  it.each<[string, Partial<ChatRequest>, object]>([
    ["nothing said of thinking", {}, { thinking: { type: "adaptive", ...left } }],
    ["hidden", { messages: history(hidden) }, { thinking: { type: "adaptive", ...left } }],
    ["an effort", { reasoning: { effort: "low" } }, { thinking: { type: "adaptive", ...left } }],
    [
      "thoughts to be shown",
      { reasoning: { effort: "low", display: "summarized" } },
      { thinking: { type: "adaptive", display: "summarized", ...left } },
    ],
    ["another beta", chat({ anthropic_beta: ["a-2026-01-01"] }), { anthropic_beta: ["a-2026-01-01", beta] }],
    ["betas as a text", chat({ anthropic_beta: "a-1, b-1" }), { anthropic_beta: ["a-1", "b-1", beta] }],
  ])("is left out: %s", (_, fields, wire) => {
    expect(asked(fields)).toMatchObject({ anthropic_beta: [beta], thinking: left, ...wire });
  });

  it.each<[string, Partial<ChatRequest>, object?]>([
    ["there is none", { messages: history() }],
    ["the model takes it all the same", { model: "claude-opus-5" }],
    ["it is no Claude", { model: "glm-5" }],
    [
      "a tool is forced",
      { model: "claude-haiku-5-5", tools: [{ type: "function", name: "f" }], toolChoice: { type: "required" } },
    ],
    [
      "the model is not to think",
      { model: "claude-sonnet-5-5", reasoning: { effort: "none" } },
      { thinking: { type: "between_tools" } },
    ],
    [
      "the client wants to be told",
      chat({ thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "error" } } }),
      { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "error" } } },
    ],
  ])("is not spoken of where %s", (_, fields, wire) => {
    expect({ ...plain, ...asked(fields) }).toMatchObject({ ...plain, ...wire });
  });

  it("is not spoken of where the host may not know the field", () => {
    expect({ ...plain, ...asked({}, false) }).toMatchObject(plain);
  });

  it.each([{}, { thinking: { type: "adaptive" } }])("is the business of clients of this format: %j", (more) => {
    const content = [{ type: "thinking", thinking: "Hm.", signature: "PROOF" }, ...text("Yes?")];
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content },
      { role: "user", content: "Why?" },
    ];
    const request = anthropicMessages.decodeRequest({ model: "claude-opus-5-5", max_tokens: 9, messages, ...more });
    const wire = anthropicMessages.encodeRequest(request, () => {}, { leavesOutThinking: true });
    expect({ ...plain, ...wire }).toMatchObject({ ...plain, ...more });
  });

  it("is left out of counts, which check it, too", () => {
    const request = { model: "claude-opus-5-5", messages: history(thought), stream: false };
    const wire = anthropicCount.encodeRequest(request, () => {}, { leavesOutThinking: true });
    expect(wire).toMatchObject({ thinking: left, anthropic_beta: [beta] });
  });
});
