import { describe, expect, it } from "vitest";
import { context as anyContext } from "../../../core/codec-kit/testing.ts";
import type { AssistantPart, ChatResponse } from "../../../core/index.ts";
import { anthropicMessages } from "../../format-anthropic-messages/format.ts";
import { cohereChat } from "../../format-cohere-chat/format.ts";
import { gemini } from "../../format-gemini/format.ts";
import { openAiChat } from "../format.ts";

const { decodeRequest, encodeRequest, encodeResponse, encodeStream } = openAiChat;
const parameters = { type: "object", properties: { city: { type: "string" } } };
const asked = {
  model: "m",
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", content: null, function_call: { name: "look", arguments: "{}" } },
    { role: "function", name: "look", content: "Sun." },
  ],
  functions: [{ name: "look", description: "Looks.", parameters }, { name: "go" }],
};
const tools = [
  { name: "look", description: "Looks.", input_schema: parameters },
  { name: "go", input_schema: { type: "object" } },
];

describe("functions of clients who know no tools", () => {
  it.each<[unknown, object | undefined]>([
    [undefined, { type: "auto", disable_parallel_tool_use: true }],
    ["auto", { type: "auto", disable_parallel_tool_use: true }],
    ["none", { type: "none" }],
    [{ name: "look" }, { type: "tool", name: "look", disable_parallel_tool_use: true }],
  ])("are tools to other formats, and themselves in this one, where the choice is %j", (choice, tool_choice) => {
    const wire = { ...asked, ...(choice !== undefined && { function_call: choice }) };
    const dropped: string[] = [];
    const told = anthropicMessages.encodeRequest(decodeRequest(wire), (name) => dropped.push(name));
    expect(told).toMatchObject({ tools, tool_choice });
    expect(JSON.stringify(told.messages)).toMatch(/"id":"(call_function_1)".*"tool_use_id":"\1"/);
    expect(encodeRequest(decodeRequest(wire), (name) => dropped.push(name))).toEqual(wire);
    expect(dropped).toEqual([]);
  });

  it("lose nothing at vendors who cannot be asked for one call at a time", () => {
    const dropped: string[] = [];
    for (const { encodeRequest: encode } of [gemini, cohereChat])
      encode(decodeRequest(asked), (name) => dropped.push(name));
    expect(dropped).toEqual([]);
  });

  it("are nothing to other formats beside tools, or where they cannot be read", () => {
    for (const more of [{ tools: [{ type: "function", function: { name: "f" } }] }, { functions: {} }]) {
      const request = decodeRequest({ ...asked, function_call: "auto", ...more });
      const dropped: string[] = [];
      anthropicMessages.encodeRequest(request, (name) => dropped.push(name));
      expect(dropped.sort()).toEqual(["function_call", "functions"]);
      expect(encodeRequest(request, () => {})).toMatchObject({ ...more, function_call: "auto" });
    }
  });

  it("are called one at a time in the answer of another format, whole and streamed", () => {
    const call = (id: string, json: string): AssistantPart => ({
      type: "tool-call",
      id,
      name: "look",
      arguments: json,
    });
    const content = [call("a", '{"city":"Rome"}'), call("b", "{}")];
    const response: ChatResponse = {
      choices: [{ index: 0, content, finishReason: "tool-calls", rawFinishReason: "tool_use" }],
    };
    const context = { ...anyContext, asked };
    const called = { name: "look", arguments: '{"city":"Rome"}' };
    const message = { role: "assistant", content: null, function_call: called };
    expect(encodeResponse(response, context).choices).toEqual([
      { index: 0, message, logprobs: null, finish_reason: "function_call" },
    ]);
    const encoder = encodeStream?.(context);
    const chunks = [
      { type: "start" } as const,
      { type: "tool-call-start", choice: 0, part: 0, id: "a", name: "look" } as const,
      { type: "tool-call-delta", choice: 0, part: 0, arguments: '{"city":' } as const,
      { type: "tool-call-delta", choice: 0, part: 0, arguments: '"Rome"}' } as const,
      { type: "tool-call-start", choice: 0, part: 1, id: "b", name: "look" } as const,
      { type: "tool-call-delta", choice: 0, part: 1, arguments: "{}" } as const,
      { type: "finish", choice: 0, reason: "tool-calls", rawReason: "tool_use" } as const,
    ];
    const text = chunks.map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
    const deltas = [...text.matchAll(/"delta":(\{.*?\}),"(?:finish|logprobs)/g)].map(([, json]) =>
      JSON.parse(`${json}`),
    );
    expect(deltas).toEqual([
      { role: "assistant", content: "" },
      { function_call: { name: "look", arguments: "" } },
      { function_call: { arguments: '{"city":' } },
      { function_call: { arguments: '"Rome"}' } },
      {},
    ]);
    expect(text).toContain('"finish_reason":"function_call"');
  });
});
