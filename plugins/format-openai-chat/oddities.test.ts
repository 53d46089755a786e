import { describe, expect, it } from "vitest";
import { assembler, type ChatResponse, type EncodeContext } from "../../core/index.ts";
import { openAiChat } from "./index.ts";

const { decodeRequest, encodeRequest, decodeResponse, encodeResponse, readStreamEnd } = openAiChat;
const context: EncodeContext = {
  provider: "acme",
  model: "acme-1",
  strict: true,
  now: 1_786_000_000,
  id: "0f1e2d",
  includeUsage: false,
};

const events = (frames: readonly unknown[]) =>
  frames.map((frame) => ({ data: typeof frame === "string" ? frame : JSON.stringify(frame) }));

function assembled(...frames: readonly unknown[]): ChatResponse {
  const decoder = openAiChat.decodeStream?.();
  const whole = assembler();
  for (const event of events(frames)) for (const chunk of decoder?.push(event) ?? []) whole.add(chunk);
  for (const chunk of decoder?.end() ?? []) whole.add(chunk);
  return whole.chat();
}

const delta = (fields: object | null, more: object = {}) => ({ choices: [{ index: 0, delta: fields, ...more }] });
const finish = (word: string) => delta({}, { finish_reason: word });
const text = (value: string) => ({ type: "text", text: value });
const call = (id: string, name: string, json: string) => ({ type: "tool-call", id, name, arguments: json });

describe("openai-chat streams as vendors really send them", () => {
  it("have content in lists of parts, thinking among them", () => {
    const thinking = (value: string) => ({ type: "thinking", thinking: [{ type: "text", text: value }] });
    const response = assembled(
      delta({ role: "assistant", content: [thinking("2 + ")] }),
      delta({ content: [thinking("2")] }),
      delta({ content: [{ type: "text", text: "It is " }] }),
      delta({ content: "4." }),
      delta({ content: [{ type: "reference", reference_ids: [1] }] }),
      finish("stop"),
    );
    expect(response.choices[0]?.content).toEqual([
      { type: "thinking", text: "2 + 2" },
      text("It is 4."),
      { type: "opaque", format: "openai-chat", value: { type: "reference", reference_ids: [1] } },
    ]);
  });

  it("have no signature of Claude's where they list what was thought, nor have whole answers", () => {
    const thought = { type: "thinking", thinking: [{ type: "text", text: "Hm." }], signature: "S", closed: true };
    const content = [{ type: "thinking", text: "Hm." }];
    expect(assembled(delta({ content: [thought] }), finish("stop")).choices[0]?.content).toEqual(content);
    const whole = { choices: [{ index: 0, message: { content: [thought] }, finish_reason: "stop" }] };
    expect(openAiChat.decodeResponse(whole).choices[0]?.content).toEqual(content);
  });

  it("have null for everything that says nothing", () => {
    const nothing = { content: null, refusal: null, tool_calls: null, function_call: null, reasoning_content: null };
    const response = assembled(
      delta({ role: "assistant", ...nothing }, { logprobs: null, finish_reason: null }),
      delta(null),
      { ...delta({ ...nothing, content: "Hi" }), usage: null },
      finish("stop"),
      "[DONE]",
    );
    expect(response.choices).toEqual([{ index: 0, content: [text("Hi")], finishReason: "stop" }]);
  });

  it("say in several frames what belongs to the answer as a whole", () => {
    const response = assembled(
      { id: "", choices: [], prompt_filter_results: [1] },
      { id: "c1", system_fingerprint: "fp", ...delta({ content: "Hi" }) },
      finish("stop"),
    );
    expect(response).toMatchObject({
      id: "c1",
      extra: { fields: { prompt_filter_results: [1], system_fingerprint: "fp" } },
    });
  });

  it("give two calls of different functions one id", () => {
    const piece = (index: number, name: string, json: string) =>
      delta({ tool_calls: [{ index, id: "call_0", function: { name, arguments: json } }] });
    const response = assembled(piece(0, "f", "{}"), piece(1, "g", '{"a":1}'), finish("tool_calls"));
    expect(response.choices[0]?.content).toEqual([call("call_0", "f", "{}"), call("call_0", "g", '{"a":1}')]);
  });

  it("are read as failed when an error stands in them, whatever marks it", () => {
    expect(readStreamEnd?.(events([delta({ content: "a" }), { object: "error", message: "no" }]))).toMatchObject({
      finished: false,
      failed: true,
    });
  });
});

describe("openai-chat finish reasons", () => {
  const tool_calls = [{ index: 0, id: "a", type: "function", function: { name: "f", arguments: "{}" } }];
  it.each(["stop", "eos", ""])("are calls when there are calls, though the vendor says %j", (word) => {
    const raw = word === "" ? {} : { rawFinishReason: word };
    const message = { role: "assistant", content: null, tool_calls };
    const whole = decodeResponse({ choices: [{ index: 0, message, finish_reason: word }] });
    expect(whole.choices).toEqual([{ index: 0, content: [call("a", "f", "{}")], finishReason: "tool-calls", ...raw }]);
    if (word !== "") expect(assembled(delta({ tool_calls }), finish(word))).toEqual(whole);
  });

  it("stay the vendor's when that is a word of this API", () => {
    const message = { role: "assistant", content: null, tool_calls };
    const wire = { choices: [{ index: 0, message, finish_reason: "stop" }] };
    expect(encodeResponse(decodeResponse(wire), context)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
  });

  it.each(["model_length", "max_tokens"])("are a length under the name %s too", (word) => {
    const answer = decodeResponse({ choices: [{ message: { content: "a" }, finish_reason: word }] });
    expect(answer.choices).toMatchObject([{ finishReason: "length", rawFinishReason: word }]);
    const shown = (strict: boolean) => encodeResponse(answer, { ...context, strict }).choices;
    expect(shown(true)).toMatchObject([{ finish_reason: "length" }]);
    expect(shown(false)).toMatchObject([{ finish_reason: word }]);
  });
});

describe("openai-chat answers as vendors really send them", () => {
  it("have numbers written as text, and other fields of odd types", () => {
    const answer = decodeResponse({
      id: 17,
      created: "1786000000",
      model: null,
      object: 1,
      choices: [{ index: "1", message: { role: 4, content: "Hi", refusal: false }, finish_reason: 0 }],
      usage: { prompt_tokens: "12", completion_tokens: "3", total_tokens: "15" },
    });
    expect(answer).toEqual({
      id: "17",
      created: 1_786_000_000,
      choices: [{ index: 1, content: [text("Hi")], finishReason: "stop" }],
      usage: { inputTokens: 12, outputTokens: 3 },
    });
  });

  it.each([[{}], [{ message: null }]])("have a choice without a message: %j", (fields) => {
    const answer = decodeResponse({ choices: [{ ...fields, finish_reason: "content_filter" }] });
    expect(answer.choices).toEqual([{ index: 0, content: [], finishReason: "content-filter" }]);
  });

  it("have empty parts of text, which say nothing", () => {
    const content = [{ type: "text", text: "" }, text("Hi")];
    const contentOf = (message: object) => decodeResponse({ choices: [{ message }] }).choices[0]?.content;
    expect(contentOf({ content })).toEqual([text("Hi")]);
    expect(contentOf({ content_blocks: content })).toEqual([text("Hi")]);
  });

  it("are errors without choices", () => {
    expect(() => decodeResponse({ choices: null, error: { message: "busy" } })).toThrow(/busy/);
  });

  it("count cached tokens beside the totals", () => {
    expect(openAiChat.readUsage({ usage: { prompt_tokens: 9, completion_tokens: 1, cached_tokens: 4 } })).toEqual({
      inputTokens: 5,
      cacheReadTokens: 4,
      outputTokens: 1,
    });
  });
});

describe("openai-chat requests", () => {
  const request = (...messages: unknown[]) => decodeRequest({ model: "m", messages });
  const toolCall = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };

  it("mark the last thing an assistant said, be it a call", () => {
    const cache_control = { type: "ephemeral", ttl: "1h" };
    const contentOf = (content: unknown) =>
      request({ role: "assistant", content, tool_calls: [toolCall], cache_control }).messages[0]?.content;
    expect(contentOf(null)).toEqual([{ ...call("a", "f", "{}"), cache: { ttl: "1h" } }]);
    expect(contentOf("Hi")).toEqual([text("Hi"), { ...call("a", "f", "{}"), cache: { ttl: "1h" } }]);
  });

  it("say no more for a text that repeats the message it stands in", () => {
    const around = { role: "assistant", tool_calls: [toolCall] };
    const part = { ...text("Look."), annotations: [] };
    const asked = (one: object) => request({ ...around, content: [one] }).messages;
    expect(asked({ ...part, ...around })).toEqual(asked(part));
  });

  it("lose nothing with the word that a tool did not fail", () => {
    const dropped: string[] = [];
    const content = [{ type: "tool-result" as const, toolCallId: "a", content: [], isError: false }];
    encodeRequest({ model: "m", stream: false, messages: [{ role: "tool", content }] }, (name) => dropped.push(name));
    expect(dropped).toEqual([]);
  });
});
