import { describe, expect, it } from "vitest";
import { assembler } from "../../../core/codec-kit/streams/assemble.ts";
import type { ChatRequest, CompletionRequest, StreamChunk } from "../../../core/index.ts";
import { eventFrame, exceptionFrame } from "../../../core/index.ts";
import { chunksIn, context, eventsOf } from "../testing.ts";
import { chatFormats, completionFormats } from "./format.ts";

const formatOf = (family: string) => {
  const format = completionFormats.find(({ name }) => name === `bedrock-${family}-completions`);
  if (!format?.decodeStream || !format.encodeStream) throw new Error(`${family} completes nothing`);
  return { ...format, decodeStream: format.decodeStream, encodeStream: format.encodeStream };
};
const chatFormatOf = (family: string) => {
  const format = chatFormats.find(({ name }) => name === `bedrock-${family}-chat`);
  if (!format) throw new Error(`${family} has no chats`);
  return format;
};
const names = completionFormats.map(({ name }) => name.split("-")[1] ?? "");

const metrics = (inputTokenCount: number, outputTokenCount: number) => ({
  "amazon-bedrock-invocationMetrics": { inputTokenCount, outputTokenCount, invocationLatency: 9, firstByteLatency: 3 },
});
const frame = (wire: object) =>
  eventFrame("chunk", JSON.stringify({ bytes: Buffer.from(JSON.stringify(wire)).toString("base64"), p: "abc" }));

/** Everything a client of text completions may say, and what of it some family can be told besides. */
const asked: CompletionRequest = {
  model: "m",
  prompt: "Once",
  stream: false,
  maxTokens: 40,
  temperature: 0.5,
  topP: 0.9,
  stop: ["END"],
  n: 2,
  frequencyPenalty: 0.25,
  presencePenalty: 0.5,
  logitBias: { "7": -5 },
  user: "u-1",
  seed: 3,
  extra: { format: "openai-completions", fields: { top_k: 20, countPenalty: { scale: 1 }, truncate: "END" } },
};

interface Case {
  readonly family: string;
  readonly wire: object;
  readonly dropped: string;
  readonly answer: object;
  readonly read: object;
  readonly frames: readonly object[];
}
const penalties = "frequency_penalty presence_penalty";

/** The table of providers.md section 9.7. */
const cases: readonly Case[] = [
  {
    family: "anthropic",
    wire: {
      prompt: "\n\nHuman: Once\n\nAssistant:",
      max_tokens_to_sample: 40,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 20,
      stop_sequences: ["END"],
      metadata: { user_id: "u-1" },
    },
    dropped: `count_penalty ${penalties} logit_bias n seed truncate`,
    answer: { completion: " Hi.", stop_reason: "max_tokens", ...metrics(3, 2) },
    read: { reason: "length", raw: "max_tokens", usage: { inputTokens: 3, outputTokens: 2 } },
    frames: [
      { completion: " H", stop_reason: null },
      { completion: "i.", stop_reason: "max_tokens", stop: null, ...metrics(3, 2) },
    ],
  },
  {
    family: "cohere",
    wire: {
      prompt: "Once",
      max_tokens: 40,
      temperature: 0.5,
      p: 0.9,
      k: 20,
      end_sequences: ["END"],
      num_generations: 2,
      frequency_penalty: 0.25,
      presence_penalty: 0.5,
      logit_bias: { "7": -5 },
      truncate: "END",
    },
    dropped: "count_penalty seed user",
    answer: {
      id: "c-1",
      prompt: "Once",
      generations: [{ id: "g-1", text: " Hi.", finish_reason: "COMPLETE" }],
      ...metrics(3, 2),
    },
    read: { id: "c-1", reason: "stop", raw: "COMPLETE", usage: { inputTokens: 3, outputTokens: 2 } },
    frames: [
      { text: " H", is_finished: false, index: 0 },
      { text: "i.", is_finished: false },
      { is_finished: true, finish_reason: "COMPLETE", ...metrics(3, 2) },
    ],
  },
  {
    family: "meta",
    wire: { prompt: "Once", max_gen_len: 40, temperature: 0.5, top_p: 0.9 },
    dropped: `count_penalty ${penalties} logit_bias n seed stop top_k truncate user`,
    answer: { generation: " Hi.", prompt_token_count: 3, generation_token_count: 2, stop_reason: "length" },
    read: { reason: "length", raw: "length", usage: { inputTokens: 3, outputTokens: 2 } },
    frames: [
      { generation: " H", prompt_token_count: 3, generation_token_count: 1, stop_reason: null },
      {
        generation: "i.",
        prompt_token_count: null,
        generation_token_count: 2,
        stop_reason: "length",
        ...metrics(3, 2),
      },
    ],
  },
  {
    family: "mistral",
    wire: { prompt: "Once", max_tokens: 40, temperature: 0.5, top_p: 0.9, top_k: 20, stop: ["END"] },
    dropped: `count_penalty ${penalties} logit_bias n seed truncate user`,
    answer: { outputs: [{ text: " Hi.", stop_reason: "stop" }], ...metrics(3, 2) },
    read: { reason: "stop", raw: "stop", usage: { inputTokens: 3, outputTokens: 2 } },
    frames: [
      { outputs: [{ text: " Hi.", stop_reason: null }] },
      { outputs: [{ text: "", stop_reason: "stop" }], ...metrics(3, 2) },
    ],
  },
  {
    family: "titan",
    wire: {
      inputText: "Once",
      textGenerationConfig: { maxTokenCount: 40, temperature: 0.5, topP: 0.9, stopSequences: ["END"] },
    },
    dropped: `count_penalty ${penalties} logit_bias n seed top_k truncate user`,
    answer: {
      inputTextTokenCount: 3,
      results: [{ tokenCount: 2, outputText: " Hi.", completionReason: "CONTENT_FILTERED" }],
    },
    read: { reason: "content-filter", raw: "CONTENT_FILTERED", usage: { inputTokens: 3, outputTokens: 2 } },
    frames: [
      { outputText: " H", index: 0, totalOutputTextTokenCount: null, completionReason: null },
      { outputText: "i.", index: 0, completionReason: "CONTENT_FILTERED", inputTextTokenCount: 3, ...metrics(3, 2) },
    ],
  },
  {
    family: "ai21",
    wire: {
      prompt: "Once",
      maxTokens: 40,
      temperature: 0.5,
      topP: 0.9,
      stopSequences: ["END"],
      numResults: 2,
      frequencyPenalty: { scale: 0.25 },
      presencePenalty: { scale: 0.5 },
      countPenalty: { scale: 1 },
    },
    dropped: "logit_bias seed top_k truncate user",
    answer: {
      id: 1234,
      prompt: { text: "Once", tokens: [{}, {}, {}] },
      completions: [{ data: { text: " Hi.", tokens: [{}, {}] }, finishReason: { reason: "endoftext" } }],
    },
    read: { id: "1234", reason: "stop", raw: "endoftext", usage: { inputTokens: 3, outputTokens: 2 } },
    // It has no streams; what stands in for it writes this, and nobody asks for it.
    frames: [
      { completions: [{ data: { text: " Hi." } }] },
      { completions: [{ finishReason: { reason: "endoftext" } }], ...metrics(3, 2) },
    ],
  },
];

it("tells every family of the table", () => {
  expect(cases.map(({ family }) => family)).toEqual(names);
});

describe.each(cases)("text completions of $family", ({ family, wire, dropped, answer, read, frames }) => {
  const format = formatOf(family);
  const encoded = (more: Partial<CompletionRequest> = {}) => {
    const lost: string[] = [];
    return { wire: format.encodeRequest({ ...asked, ...more }, (name) => lost.push(name)), lost: lost.sort() };
  };
  const { id, reason, raw, usage } = read as { id?: string; reason: string; raw: string; usage: object };
  const response = {
    ...(id !== undefined && { id }),
    choices: [{ index: 0, text: " Hi.", finishReason: reason, rawFinishReason: raw }],
    usage,
  };

  it("are asked for in its words, and what it has no word for is told", () => {
    expect(encoded()).toEqual({ wire, lost: dropped.split(" ").sort() });
    const extras = ["count_penalty", "truncate", "top_k"];
    const own = dropped.split(" ").filter((name) => !extras.includes(name));
    expect(format.drops).toEqual(expect.arrayContaining(own));
  });

  it("are asked for at the path of the model", () => {
    const path = format.upstream?.path;
    const at = (stream: boolean) => typeof path === "function" && path({ model: "a.b:0", stream });
    expect([at(false), at(true)]).toEqual(["/model/a.b%3A0/invoke", "/model/a.b%3A0/invoke-with-response-stream"]);
    expect((encoded({ stream: true }).wire as { stream?: boolean }).stream).toBe(family === "cohere" || undefined);
  });

  it("are read whole", () => {
    expect(format.decodeResponse(answer)).toEqual(response);
    expect(format.readUsage(answer)).toEqual(usage);
  });

  it("are read as a stream", () => {
    const answer = assembler();
    for (const chunk of chunksIn(frames.map(frame).join(""), format.decodeStream())) answer.add(chunk);
    const { id: _, ...streamed } = response as { id?: string };
    expect(answer.completion()).toEqual(streamed);
  });

  it.each([
    ["its beginning only", frames.slice(0, 1).map(frame).join("")],
    ["nothing", ""],
  ])("are not whole with %s", (_, bytes) => {
    expect(() => chunksIn(bytes, format.decodeStream())).toThrow(
      expect.objectContaining({ code: "upstream_truncated" }),
    );
  });

  it("may fail in the middle", () => {
    const bytes = frame(frames[0] ?? {}) + exceptionFrame("throttlingException", '{"message":"slow"}') + frame({});
    expect(chunksIn(bytes, format.decodeStream()).at(-1)).toEqual({
      type: "error",
      error: { message: "slow", type: "throttlingException" },
    });
    const failed = format.encodeStream(context).fail({ message: "slow", type: "rate_limit_error" });
    expect(eventsOf(failed)[0]?.data).toContain("slow");
  });

  it("are written as the vendor writes them", () => {
    expect(format.decodeResponse(format.encodeResponse(format.decodeResponse(answer), context))).toEqual(response);
    const chunks = chunksIn(frames.map(frame).join(""), format.decodeStream());
    const encoder = format.encodeStream(context);
    const bytes = [...chunks.map((chunk) => encoder.push(chunk)), encoder.end()].join("");
    expect(assembledOf(chunksIn(bytes, format.decodeStream()))).toEqual(assembledOf(chunks));
    const { temperature, maxTokens, topP } = format.decodeRequest({ ...encoded().wire, model: "m" });
    expect({ temperature, maxTokens, topP }).toEqual({ temperature: 0.5, maxTokens: 40, topP: 0.9 });
  });

  it.each<Pick<CompletionRequest, "prompt">>([{}, { prompt: ["a", "b"] }, { prompt: [1, 2] }, { prompt: [[1]] }])(
    "take one text, and no %j",
    (prompt) => {
      const { prompt: _, ...rest } = asked;
      expect(() => format.encodeRequest({ ...rest, ...prompt }, () => {})).toThrow(
        expect.objectContaining({ code: "invalid_request", details: { param: "prompt" } }),
      );
    },
  );

  it.each([null, {}, { message: "no" }, { generations: [{}] }])("are not %j", (body) => {
    expect(() => format.decodeResponse(body)).toThrow(expect.objectContaining({ code: "upstream_invalid" }));
  });
});

function assembledOf(chunks: readonly StreamChunk[]) {
  const answer = assembler();
  for (const chunk of chunks) answer.add(chunk);
  return answer.completion();
}

describe("what is particular", () => {
  const prompt = (family: string, text: string) =>
    formatOf(family).encodeRequest({ model: "m", prompt: text, stream: false }, () => {}).prompt;

  it("a prompt for Claude that is a dialogue already stays as it is", () => {
    const own = "\n\nHuman: Hi\n\nAssistant: Well,";
    expect(prompt("anthropic", own)).toBe(own);
    const { decodeRequest } = formatOf("anthropic");
    for (const text of [own, "plain"]) expect(decodeRequest({ prompt: text }).prompt).toBe(text);
    expect(decodeRequest({ prompt: "\n\nHuman: Hi\n\nAssistant:" }).prompt).toBe("Hi");
  });

  it("settings that ask for nothing lose nothing", () => {
    const request = { model: "m", prompt: "a", stream: false, n: 1, bestOf: 1, echo: false, presencePenalty: 0 };
    for (const { encodeRequest } of completionFormats) encodeRequest(request, (name) => expect.fail(name));
  });

  it("more answers than Cohere gives are refused rather than fewer given", () => {
    const request = { model: "m", prompt: "a", stream: false, n: 6 };
    expect(() => formatOf("cohere").encodeRequest(request, () => {})).toThrow("from 1 to 5");
  });

  it("several answers of Cohere are told apart, and end each by itself", () => {
    const frames = [
      { text: "a", is_finished: false, index: 1 },
      { text: "b", is_finished: false, index: 0 },
      { is_finished: true, finish_reason: "COMPLETE", index: 0 },
      { is_finished: true, finish_reason: "ERROR_TOXIC", index: 1, ...metrics(1, 2) },
    ];
    const { decodeStream } = formatOf("cohere");
    expect(assembledOf(chunksIn(frames.map(frame).join(""), decodeStream()))).toMatchObject({
      choices: [
        { text: "b", finishReason: "stop" },
        { text: "a", finishReason: "content-filter" },
      ],
      usage: { inputTokens: 1, outputTokens: 2 },
    });
    expect(() => chunksIn(frames.slice(0, 3).map(frame).join(""), decodeStream())).toThrow("finish reason");
  });

  it("an answer without a word for its end has stopped; a word nobody knows is another end", () => {
    const { decodeResponse } = formatOf("meta");
    expect(decodeResponse({ generation: "a" }).choices[0]).toEqual({ index: 0, text: "a", finishReason: "stop" });
    expect(decodeResponse({ generation: "a", stop_reason: "newer" }).choices[0]).toMatchObject({
      finishReason: "other",
      rawFinishReason: "newer",
    });
    expect(decodeResponse({ generation: "" }).usage).toBeUndefined();
  });
});

describe.each(["cohere", "ai21"])("a dialogue with the oldest chat models of %s", (family) => {
  const { encodeRequest, decodeResponse, encodeResponse, decodeRequest } = chatFormatOf(family);
  const image = { type: "image", source: { kind: "url", url: "https://x.example/a.png" } } as const;
  const request: ChatRequest = {
    model: "m",
    stream: false,
    maxTokens: 9,
    messages: [
      { role: "developer", content: [{ type: "text", text: "Be brief." }] },
      { role: "user", name: "ann", content: [{ type: "text", text: "Hi", cache: {} }, image] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me see." },
          { type: "tool-call", id: "1", name: "look", arguments: "{}" },
        ],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "1", content: [{ type: "text", text: "A cat." }], isError: true }],
      },
      { role: "user", content: [{ type: "text", text: "And?" }] },
    ],
    tools: [{ type: "function", name: "look" }],
    responseFormat: { type: "json" },
    reasoning: { effort: "low" },
    extra: { format: "openai-chat", fields: { store: true, audio: null } },
  };

  it("is told as one text", () => {
    const lost: string[] = [];
    const wire = encodeRequest(request, (name) => lost.push(name));
    expect(wire).toEqual({
      prompt: "system: Be brief.\nuser: Hi\nassistant: Let me see.\ntool: A cat.\nuser: And?\nAssistant:",
      [family === "cohere" ? "max_tokens" : "maxTokens"]: 9,
    });
    expect(lost.sort()).toEqual([
      "messages.cache_control",
      "messages.image",
      "messages.name",
      "messages.tool_calls",
      "messages.tool_result.is_error",
      "reasoning_effort",
      "response_format",
      "store",
      "tools",
    ]);
    expect(decodeRequest({ ...wire, model: "m" })).toMatchObject({ messages: [{ role: "user" }], maxTokens: 9 });
  });

  it("is answered as a chat", () => {
    const { answer, read } = cases.find((one) => one.family === family) ?? { answer: {}, read: {} };
    const response = decodeResponse(answer);
    expect(response).toMatchObject({
      choices: [{ index: 0, content: [{ type: "text", text: " Hi." }], finishReason: "stop" }],
      usage: (read as { usage: object }).usage,
    });
    expect(decodeResponse(encodeResponse(response, context))).toEqual(response);
  });
});
