import { describe, expect, it } from "vitest";
import type { Answer, ChatResponse } from "../../core/index.ts";
import { withFreshIds } from "./fresh-ids.ts";

const item = (id: string) => ({ format: "openai-responses", fields: {}, item: { id, status: "completed" } });

describe("a kept answer of the Responses API", () => {
  it("leaves its ids and its time behind, and keeps those of tool calls", () => {
    const response: ChatResponse = {
      id: "resp_1",
      created: 1,
      model: "m",
      choices: [
        {
          index: 0,
          content: [
            { type: "text", text: "Yes.", extra: item("msg_1") },
            { type: "tool-call", id: "call_1", name: "look", arguments: "{}", extra: item("fc_1") },
            { type: "refusal", text: "No." },
          ],
          finishReason: "tool-calls",
        },
      ],
      usage: { outputTokens: 1 },
    };
    const kept: Answer = { kind: "answer", status: 200, response };
    const before = JSON.stringify(kept);
    const without = { format: "openai-responses", fields: {}, item: { status: "completed" } };
    expect(withFreshIds(kept)).toEqual({
      kind: "answer",
      status: 200,
      response: {
        model: "m",
        choices: [
          {
            index: 0,
            content: [
              { type: "text", text: "Yes.", extra: without },
              { type: "tool-call", id: "call_1", name: "look", arguments: "{}", extra: without },
              { type: "refusal", text: "No." },
            ],
            finishReason: "tool-calls",
          },
        ],
        usage: { outputTokens: 1 },
      },
    });
    expect(JSON.stringify(kept)).toBe(before);
  });
});
