import { expect, it } from "vitest";
import type { StreamChunk } from "../../../core/index.ts";
import { openAiResponses } from "../index.ts";
import { context, framesOf } from "../testing.ts";

it.each<[string, StreamChunk[], object[]]>([
  [
    "a text",
    [
      { type: "text-delta", choice: 0, part: 0, text: "Hel" },
      { type: "text-delta", choice: 0, part: 0, text: "lo" },
    ],
    [{ type: "message", status: "incomplete", content: [{ type: "output_text", text: "Hello" }] }],
  ],
  [
    "thoughts, a text and a refusal",
    [
      { type: "thinking-delta", choice: 0, part: 0, text: "So" },
      { type: "text-delta", choice: 0, part: 1, text: "Hi" },
      { type: "refusal-delta", choice: 0, part: 2, text: "No" },
    ],
    [
      { type: "reasoning", status: "completed", summary: [{ type: "summary_text", text: "So" }] },
      {
        type: "message",
        status: "incomplete",
        content: [
          { type: "output_text", text: "Hi" },
          { type: "refusal", refusal: "No" },
        ],
      },
    ],
  ],
  [
    "thoughts",
    [{ type: "thinking-delta", choice: 0, part: 0, text: "So" }],
    [{ type: "reasoning", status: "incomplete", summary: [{ text: "So" }], encrypted_content: expect.any(String) }],
  ],
  [
    "calls",
    [
      { type: "tool-call-start", choice: 0, part: 0, id: "a", name: "f" },
      { type: "tool-call-delta", choice: 0, part: 0, arguments: '{"a"' },
      { type: "tool-call-start", choice: 0, part: 1, id: "b", name: "g", custom: true },
      { type: "tool-call-delta", choice: 0, part: 1, arguments: '{"input":"ab' },
    ],
    [
      { type: "function_call", status: "incomplete", call_id: "a", arguments: '{"a"' },
      { type: "custom_tool_call", status: "incomplete", call_id: "b", input: "ab" },
    ],
  ],
  [
    "code that a vendor ran",
    [
      {
        type: "part",
        choice: 0,
        part: 0,
        value: { type: "opaque", format: "gemini", value: {}, ran: { id: "a", code: "1 + 1" } },
      },
    ],
    [{ type: "code_interpreter_call", code: "1 + 1" }],
  ],
])("shows what was said so far in an answer that broke off: %s", (_, chunks, output) => {
  const encoder = openAiResponses.encodeStream?.(context);
  for (const chunk of chunks) encoder?.push(chunk);
  const ended = framesOf(encoder?.fail({ message: "Broken." }) ?? "").slice(-2);
  expect(ended).toMatchObject([{ type: "error" }, { type: "response.failed", response: { output } }]);
  expect(encoder?.end()).toBe("");
});
