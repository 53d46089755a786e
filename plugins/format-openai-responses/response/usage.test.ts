import { describe, expect, it } from "vitest";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { encodeStream as encodeChatStream } from "../../format-openai-chat/stream/encode-stream.ts";
import { openAiResponses } from "../index.ts";
import { chunksIn, context, framesOf, streamed } from "../testing.ts";

it("counts what Perplexity says of caches in the names of the Messages API, and what it charged", () => {
  const details = { cache_read_input_tokens: 60, cache_creation_input_tokens: 30 };
  const cost = {
    currency: "USD",
    input_cost: 0.0001,
    output_cost: 0.0002,
    tool_calls_cost: 0.005,
    total_cost: 0.0053,
  };
  const usage = { input_tokens: 100, input_tokens_details: details, output_tokens: 9, total_tokens: 109, cost };
  expect(openAiResponses.readUsage?.({ output: [], usage })).toEqual({
    inputTokens: 10,
    cacheReadTokens: 60,
    cacheWriteTokens: 30,
    outputTokens: 9,
    charged: ["0.0053"],
  });
});

describe("what a vendor says of the usage besides", () => {
  const more = { num_sources_used: 3, num_server_side_tools_used: 1, cost_in_usd_ticks: 158_500_000 };
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 1 } };
  const usage = { input_tokens: 10, output_tokens: 4, total_tokens: 14, ...details, ...more };
  const message = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    content: [{ type: "output_text", text: "Hi", annotations: [] }],
  };
  const head = { id: "resp_1", model: "grok", created_at: 1 };
  const said = { store: true, temperature: 0.7, previous_response_id: "resp_0" };
  const answer = { ...head, ...said, object: "response", status: "completed", output: [message], usage };
  const events = [
    { type: "response.created", response: { ...answer, status: "in_progress", output: [], usage: null } },
    { type: "response.completed", response: answer },
  ];
  const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const asked = { store: false, temperature: 0.2 };

  it("is told clients of this format, whole and streamed", () => {
    expect(openAiResponses.encodeResponse(openAiResponses.decodeResponse(answer), context)).toMatchObject({ usage });
    const told = framesOf(streamed(chunksIn(stream), { ...context, asked }));
    expect(told.at(-1)).toMatchObject({ type: "response.completed", response: { usage, ...said } });
  });

  it("is told where nothing of it is known", () => {
    const unknown = { ...answer, usage: { num_sources_used: 3 } };
    const told = openAiResponses.encodeResponse(openAiResponses.decodeResponse(unknown), context);
    expect(told).toMatchObject({ usage: { num_sources_used: 3 } });
    expect(told.usage).toEqual({ num_sources_used: 3 });
  });

  it("is not told clients of others, who have their own words for what is known", () => {
    const chunks = chunksIn(stream);
    const encoder = encodeChatStream({ ...context, strict: false });
    const frames = chunks.map((chunk) => encoder.push(chunk)).join("") + encoder.end();
    const whole = openAiChat.encodeResponse(openAiResponses.decodeResponse(answer), { ...context, strict: false });
    for (const text of [frames, JSON.stringify(whole)]) {
      expect(text).toContain('"completion_tokens":4');
      for (const name of [...Object.keys(more), ...Object.keys(said)]) expect(text).not.toContain(name);
    }
  });

  it("does not stand in the way of the tools a client has, which its vendor may have been told as functions", () => {
    const tools = [{ type: "custom", name: "run" }, { type: "shell" }];
    const choice = { type: "shell" };
    const told = { tools: [{ type: "function", name: "shell" }], tool_choice: { type: "function", name: "shell" } };
    const given = { ...context, asked: { tools, tool_choice: choice } };
    const wire = openAiResponses.encodeResponse(openAiResponses.decodeResponse({ ...answer, ...told }), given);
    expect(wire).toMatchObject({ tools, tool_choice: choice, ...said });
    const last = stream.replaceAll('"store":true', `"store":true,${JSON.stringify(told).slice(1, -1)}`);
    for (const { response } of framesOf(streamed(chunksIn(last), given)))
      if (response) expect(response).toMatchObject({ tools, tool_choice: choice });
  });

  it("says of functions what the vendor made of them", () => {
    const tools = [{ type: "function", name: "get", strict: true }];
    const given = { ...context, asked: { tools: [{ type: "function", name: "get" }] } };
    expect(openAiResponses.encodeResponse(openAiResponses.decodeResponse({ ...answer, tools }), given)).toMatchObject({
      tools,
    });
  });

  it("stands beside what it says of the request, from the first event on", () => {
    const [created] = framesOf(streamed(chunksIn(stream), { ...context, asked: { ...asked, tools: [], top_p: 0.5 } }));
    expect(created).toMatchObject({ type: "response.created", response: { ...said, top_p: 0.5, usage: null } });
  });
});
