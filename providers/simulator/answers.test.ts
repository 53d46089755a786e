import { describe, expect, it } from "vitest";
import { assembler } from "../../core/codec-kit/streams/assemble.ts";
import type { Format } from "../../core/model/format.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { ask, askStream } from "./testing.ts";

const paths = { "openai-chat": "/chat/completions", "anthropic-messages": "/messages" } as const;
const says = (text: string, more: object = {}) => ({
  model: "m",
  messages: [{ role: "user", content: text }],
  ...more,
});

const parameters = {
  type: "object",
  properties: { city: { enum: ["Oslo", "Rome"] }, days: { type: "integer" }, note: { type: "string" } },
  required: ["city", "days"],
};
const weather = { name: "weather", description: "Tells the weather.", parameters };
const clock = { name: "clock", parameters: { type: "object", properties: {} } };
const tools = [weather, clock].map((tool) => ({ type: "function", function: tool }));

/** The same conversation, written in both formats. */
const scenarios: Readonly<Record<string, { chat: object; messages: object }>> = {
  "a plain answer": { chat: says("Hello there"), messages: says("Hello there", { max_tokens: 99 }) },
  "thinking before an answer": {
    chat: says("Why?", { reasoning_effort: "low" }),
    messages: says("Why?", { max_tokens: 99, thinking: { type: "enabled", budget_tokens: 1024 } }),
  },
  "a tool that is mentioned": {
    chat: says("What is the weather?", { tools }),
    messages: says("What is the weather?", { max_tokens: 99, tools: anthropicTools() }),
  },
  "a tool that is called twice": {
    chat: says("Ask the clock twice", { tools }),
    messages: says("Ask the clock twice", { max_tokens: 99, tools: anthropicTools() }),
  },
  "two tools in parallel": {
    chat: says("weather and clock in parallel", { tools, tool_choice: "required" }),
    messages: says("weather and clock in parallel", {
      max_tokens: 99,
      tools: anthropicTools(),
      tool_choice: { type: "any" },
    }),
  },
  "an answer that is too long": {
    chat: says("one two three", { max_completion_tokens: 4 }),
    messages: says("one two three", { max_tokens: 4 }),
  },
  "an answer that is stopped": {
    chat: says("one two three", { stop: ["two"] }),
    messages: says("one two three", { max_tokens: 99, stop_sequences: ["two"] }),
  },
  "a cached prompt": {
    chat: says("", { messages: [{ role: "user", content: cached() }] }),
    messages: says("", { max_tokens: 99, messages: [{ role: "user", content: cached() }] }),
  },
  "JSON after a schema": {
    chat: says("Go", { response_format: { type: "json_schema", json_schema: { name: "n", schema: parameters } } }),
    messages: says("Go", {
      max_tokens: 99,
      output_config: { format: { type: "json_schema", schema: parameters } },
    }),
  },
};

function anthropicTools() {
  return [weather, clock].map(({ parameters: schema, ...tool }) => ({ ...tool, input_schema: schema }));
}

function cached() {
  return [
    { type: "text", text: "one two", cache_control: { type: "ephemeral" } },
    { type: "text", text: "three", cache_control: { type: "ephemeral" } },
    { type: "text", text: "four five six" },
  ];
}

/** What both formats have a name for. */
const common = ({ choices: [choice], usage }: ReturnType<typeof openAiChat.decodeResponse>) => ({
  content: choice?.content.map((part) => {
    if (part.type === "tool-call") return { name: part.name, arguments: part.arguments };
    return part.type === "text" || part.type === "thinking" ? { type: part.type, text: part.text } : part;
  }),
  finish: choice?.finishReason,
  usage: { ...usage, reasoningTokens: usage?.reasoningTokens || 0, cacheWriteTokens: usage?.cacheWriteTokens ?? 0 },
});

const whole = async (format: Format<"chat">, body: object) =>
  format.decodeResponse(await ask(paths[format.name as keyof typeof paths], body));

async function streamed(format: Format<"chat">, body: object) {
  const decoder = format.decodeStream?.();
  const assembled = assembler();
  const usage = { stream_options: { include_usage: true } };
  for (const event of await askStream(paths[format.name as keyof typeof paths], { ...body, ...usage }))
    for (const chunk of decoder?.push(event) ?? []) assembled.add(chunk);
  for (const chunk of decoder?.end() ?? []) assembled.add(chunk);
  return assembled.chat();
}

describe.each(Object.entries(scenarios))("the simulator, asked for %s", (_name, { chat, messages }) => {
  it("says the same in both formats", async () => {
    const one = common(await whole(openAiChat, chat));
    expect({ ...one, usage: { ...one.usage, cacheWriteHourTokens: 0 } }).toEqual(
      withHour(common(await whole(anthropicMessages, messages))),
    );
  });

  it.each([
    [openAiChat, chat],
    [anthropicMessages, messages],
  ] as const)("streams what it answers whole: $name", async (format, body) => {
    expect(common(await streamed(format, body))).toEqual(common(await whole(format, body)));
  });

  it("answers the same question in the same bytes", async () => {
    expect(await ask(paths["openai-chat"], chat)).toEqual(await ask(paths["openai-chat"], chat));
    expect(await askStream(paths["anthropic-messages"], messages)).toEqual(
      await askStream(paths["anthropic-messages"], messages),
    );
  });
});

function withHour(answer: ReturnType<typeof common>) {
  return { ...answer, usage: { ...answer.usage, cacheWriteHourTokens: answer.usage.cacheWriteHourTokens ?? 0 } };
}

const textOf = async (body: object) => common(await whole(openAiChat, body)).content?.[0];

describe("what the simulator says", () => {
  it.each<[string, object, string]>([
    ["echoes what the user said last", says("Hello"), "Simulated answer from m: Hello"],
    ["goes on at most 200 characters", says("x".repeat(500)), `Simulated answer from m: ${"x".repeat(200)}`],
    [
      "sees images",
      says("", {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "Hi" },
              { type: "image_url", image_url: {} },
            ],
          },
        ],
      }),
      "Simulated answer from m: Hi I see 1 image.",
    ],
    [
      "repeats what a tool said, though the tool is forced",
      says("", {
        tools,
        tool_choice: "required",
        messages: [
          { role: "user", content: "weather?" },
          { role: "assistant", tool_calls: [] },
          { role: "tool", tool_call_id: "c", content: "4 degrees" },
        ],
      }),
      "The tool said: 4 degrees",
    ],
    [
      "leaves tools alone when told to",
      says("weather?", { tools, tool_choice: "none" }),
      "Simulated answer from m: weather?",
    ],
    ["fills a schema", says("Go", { response_format: { type: "json_object" } }), '{"answer":"sample"}'],
  ])("%s", async (_what, body, text) => {
    expect(await textOf(body)).toEqual({ type: "text", text });
  });

  it("gives several answers that can be told apart", async () => {
    const { choices } = await whole(openAiChat, says("Hi", { n: 2 }));
    expect(choices.map(({ content: [part] }) => part)).toMatchObject([
      { text: "Simulated answer from m: Hi" },
      { text: "Simulated answer from m: Hi (choice 2)" },
    ]);
  });

  it.each<[string, string, object[]]>([
    ["required", "Hello", [{ name: "clock" }]],
    ["auto", "The weather and the clock?", [{ name: "clock" }]],
  ])("calls no tool but those allowed (%s)", async (mode, asked, calls) => {
    const allowed = { mode, tools: [{ type: "function", function: { name: "clock" } }] };
    const body = says(asked, { tools, tool_choice: { type: "allowed_tools", allowed_tools: allowed } });
    expect(common(await whole(openAiChat, body)).content).toMatchObject(calls);
  });

  it("makes arguments the tool's schema accepts", async () => {
    const { content } = common(await whole(openAiChat, says("use the tool", { tools })));
    expect(content).toEqual([{ name: "weather", arguments: '{"city":"Oslo","days":1}' }]);
  });

  it("calls once where calls may not be parallel", async () => {
    const body = says("the clock twice", { tools, parallel_tool_calls: false });
    expect(common(await whole(openAiChat, body)).content).toHaveLength(1);
  });

  it("signs its thinking, always in the same way", async () => {
    const { chat: _, messages } = scenarios["thinking before an answer"] ?? { chat: {}, messages: {} };
    const [first, second] = [await whole(anthropicMessages, messages), await streamed(anthropicMessages, messages)];
    const signature = first.choices[0]?.content[0];
    expect(signature).toMatchObject({ type: "thinking", signature: expect.stringMatching(/^[\w+/]{43}=$/) });
    expect(second.choices[0]?.content[0]).toEqual(signature);
  });

  it("counts what its cache markers say was read and written", async () => {
    const { messages } = scenarios["a cached prompt"] ?? { messages: {} };
    const { usage } = await whole(anthropicMessages, messages);
    expect(usage).toMatchObject({ cacheReadTokens: 2, cacheWriteTokens: 1, inputTokens: 3 });
  });
});
