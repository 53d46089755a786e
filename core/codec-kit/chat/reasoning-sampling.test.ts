import { describe, expect, it } from "vitest";
import type { ChatRequest, Reasoning } from "../../model/chat.ts";
import { sampledAsTaken } from "./reasoning-sampling.ts";

const gemini = { format: "gemini", fields: {} };
const asked = (model: string, reasoning: Reasoning | undefined, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model,
  messages: [],
  stream: false,
  temperature: 1,
  topP: 0.95,
  extra: gemini,
  ...(reasoning && { reasoning }),
  ...more,
});

function taken(request: ChatRequest) {
  const lost: string[] = [];
  return { taken: sampledAsTaken(request, (name) => lost.push(name)), lost };
}

describe("how a client of another format would have OpenAI's models sample", () => {
  it.each<[string, Reasoning | undefined]>([
    ["gpt-5", undefined],
    ["gpt-5-mini-2025-08-07", { effort: "minimal" }],
    ["o4-mini", undefined],
    ["gpt-5.1", { effort: "low" }],
    ["gpt-5.2-codex", undefined],
    ["gpt-5.6-luna", undefined],
    ["gpt-5.6", { mode: "disabled", effort: "high" }],
    ["openai/gpt-6", { effort: "high" }],
  ])("is left out where %s reasons: %j", (model, reasoning) => {
    const { taken: request, lost } = taken(asked(model, reasoning, { logprobs: true, topLogprobs: 2 }));
    const { temperature: _, topP: __, ...rest } = asked(model, reasoning);
    expect(request).toEqual(rest);
    expect(lost).toEqual(["top_p", "logprobs", "top_logprobs"]);
  });

  it.each<[string, Reasoning | undefined]>([
    ["gpt-4.1", undefined],
    ["gpt-4o", { effort: "high" }],
    ["gpt-5-chat-latest", undefined],
    ["gpt-5.2", undefined],
    ["gpt-5.6", { effort: "none" }],
    ["my-deployment", { effort: "high" }],
  ])("is theirs where %s does not, or nobody knows: %j", (model, reasoning) => {
    const request = asked(model, reasoning);
    expect(taken(request)).toEqual({ taken: request, lost: [] });
  });

  it("is nothing where they say nothing of it", () => {
    const { temperature: _, topP: __, ...silent } = asked("gpt-5", undefined);
    expect(taken(silent).taken).toBe(silent);
  });
});
