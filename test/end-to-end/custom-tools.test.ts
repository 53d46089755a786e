import type OpenAI from "openai";
import { beforeEach, describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream, type TestUpstream } from "../support/upstream.ts";

const patch = '*** Begin Patch\n*** Add File: a.txt\n+say "hé 😀" \\d+\n*** End Patch';
const grammar = { syntax: "lark" as const, definition: 'start: "*** Begin Patch" /.+/s' };
const model = "anthropic/claude-sonnet-4-5";

const call = { type: "tool_use", id: "toolu_1", name: "apply_patch" };
const head = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" };
const usage = { input_tokens: 10, output_tokens: 20 };

/** The call as the vendor streams it: the JSON of the arguments, cut anywhere. */
function eventsOf(input: string, length: number): string {
  const pieces = Array.from({ length: Math.ceil(input.length / length) }, (_, at) =>
    input.slice(at * length, at * length + length),
  );
  const events = [
    { type: "message_start", message: { ...head, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: { ...call, input: {} } },
    ...pieces.map((partial_json) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json },
    })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** What the vendor was sent last. */
const sent = (upstream: TestUpstream) => JSON.parse(upstream.received.at(-1)?.body.toString() ?? "{}");

describe("a vendor without tools for free text, asked by the OpenAI client", () => {
  let client: OpenAI;
  let upstream: TestUpstream;
  /** What the model writes as the arguments in a stream. */
  let written: string;
  beforeEach(async () => {
    written = JSON.stringify({ input: patch });
    upstream = await startUpstream(({ body }, response) => {
      if (!JSON.parse(body.toString()).stream) {
        const content = [{ ...call, input: { input: patch } }];
        return json(response, 200, { ...head, content, stop_reason: "tool_use", stop_sequence: null, usage });
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(eventsOf(written, 3));
    });
    const gateway = await startTestGateway(configFor(upstream.url), secrets);
    client = openAiClient({ url: gateway.url, key: gatewayKey });
  });

  describe("in responses", () => {
    const tools: OpenAI.Responses.Tool[] = [
      { type: "custom", name: "apply_patch", description: "Edits files.", format: { type: "grammar", ...grammar } },
    ];
    const request = { model, tools, input: [{ role: "user" as const, content: "Add a file." }] };
    const expected = { type: "custom_tool_call", call_id: "toolu_1", name: "apply_patch", input: patch };

    it("is offered a function of one text, and its call is one with the free text", async () => {
      const { data, response } = await client.responses
        .create({ ...request, tool_choice: { type: "custom", name: "apply_patch" } })
        .withResponse();
      expect(data.output).toMatchObject([expected]);
      expect(response.headers.get("x-gateway-dropped-params")).toBeNull();
      const { tools: offered, tool_choice: choice } = sent(upstream);
      expect(offered).toMatchObject([
        { name: "apply_patch", input_schema: { properties: { input: { type: "string" } }, required: ["input"] } },
      ]);
      expect(offered[0].description).toContain("Edits files.");
      expect(offered[0].description).toContain(grammar.definition);
      expect(choice).toEqual({ type: "tool", name: "apply_patch" });
    });

    it("streams the free text as it arrives", async () => {
      const deltas: string[] = [];
      const done: string[] = [];
      const items: unknown[] = [];
      for await (const event of await client.responses.create({ ...request, stream: true })) {
        if (event.type === "response.custom_tool_call_input.delta") deltas.push(event.delta);
        else if (event.type === "response.custom_tool_call_input.done") done.push(event.input);
        else if (event.type === "response.output_item.done") items.push(event.item);
        else if (event.type === "response.completed") expect(event.response.output).toMatchObject([expected]);
      }
      expect(deltas.length).toBeGreaterThan(10);
      expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
      expect(deltas.join("")).toBe(patch);
      expect(done).toEqual([patch]);
      expect(items).toMatchObject([expected]);
    });

    it("streams all that a model wrote that wrote no JSON", async () => {
      written = patch;
      const stream = client.responses.stream(request);
      expect((await stream.finalResponse()).output).toMatchObject([expected]);
    });

    it("is sent the history as a call of the function and its result", async () => {
      const { output } = await client.responses.create(request);
      const result = { type: "custom_tool_call_output" as const, call_id: "toolu_1", output: "Done." };
      const input = [...request.input, ...output, result] as OpenAI.Responses.ResponseInput;
      await client.responses.create({ ...request, input });
      expect(sent(upstream).messages).toEqual([
        { role: "user", content: "Add a file." },
        { role: "assistant", content: [{ ...call, input: { input: patch } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Done." }] },
      ]);
    });
  });

  describe("in chat completions", () => {
    const tools: OpenAI.ChatCompletionTool[] = [
      {
        type: "custom",
        custom: { name: "apply_patch", description: "Edits files.", format: { type: "grammar", grammar } },
      },
    ];
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Add a file." }];
    const expected = { id: "toolu_1", type: "custom", custom: { name: "apply_patch", input: patch } };

    it("is offered a function of one text, and its call is one with the free text", async () => {
      const answer = await client.chat.completions.create({
        model,
        messages,
        tools,
        tool_choice: { type: "custom", custom: { name: "apply_patch" } },
      });
      expect(answer.choices[0]?.finish_reason).toBe("tool_calls");
      expect(answer.choices[0]?.message.tool_calls).toEqual([expected]);
      expect(sent(upstream).tool_choice).toEqual({ type: "tool", name: "apply_patch" });
      expect(sent(upstream).tools).toHaveLength(1);
    });

    it("streams the free text as it arrives", async () => {
      const deltas: unknown[] = [];
      for await (const { choices } of await client.chat.completions.create({ model, messages, tools, stream: true }))
        deltas.push(...(choices[0]?.delta.tool_calls ?? []));
      const [first, ...more] = deltas as { custom: { input: string } }[];
      expect(first).toMatchObject({ ...expected, index: 0, custom: { name: "apply_patch", input: "" } });
      expect(more.length).toBeGreaterThan(10);
      expect(more.map(({ custom }) => custom.input).join("")).toBe(patch);
    });

    it("is sent the history as a call of the function and its result", async () => {
      const { choices } = await client.chat.completions.create({ model, messages, tools });
      const history: OpenAI.ChatCompletionMessageParam[] = [
        ...messages,
        choices[0]?.message as OpenAI.ChatCompletionMessageParam,
        { role: "tool", tool_call_id: "toolu_1", content: "Done." },
      ];
      await client.chat.completions.create({ model, messages: history, tools });
      expect(sent(upstream).messages).toEqual([
        { role: "user", content: "Add a file." },
        { role: "assistant", content: [{ ...call, input: { input: patch } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Done." }] },
      ]);
    });

    it("calls a function of the same client as a function", async () => {
      const functions: OpenAI.ChatCompletionTool[] = [{ type: "function", function: { name: "apply_patch" } }];
      const { choices } = await client.chat.completions.create({ model, messages, tools: functions });
      expect(choices[0]?.message.tool_calls).toEqual([
        { id: "toolu_1", type: "function", function: { name: "apply_patch", arguments: written } },
      ]);
    });
  });
});

describe.each([
  ["/v1/responses", { input: "Add a file.", tools: [{ type: "custom", name: "apply_patch" }] }],
  [
    "/v1/chat/completions",
    {
      messages: [{ role: "user", content: "Add a file." }],
      tools: [{ type: "custom", custom: { name: "apply_patch" } }],
    },
  ],
])("a vendor that has such tools, at %s", (path, request) => {
  it("is sent the client's own bytes, and the client is given the vendor's", async () => {
    const answer = `{ "object": "something",  "choices": [], "output": [], "tools": "custom" }`;
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(answer);
    });
    const gateway = await startTestGateway(configFor(upstream.url), secrets);
    const bytes = (model: string) => `{"model":"${model}",  ${JSON.stringify(request).slice(1)}`;
    const response = await fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${gatewayKey}` },
      body: bytes("openai/gpt-5"),
    });
    expect(await response.text()).toBe(answer);
    expect(upstream.received.at(-1)?.body.toString()).toBe(bytes("gpt-5"));
  });
});
