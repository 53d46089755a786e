import type OpenAI from "openai";
import { beforeEach, describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream, type TestUpstream } from "../support/upstream.ts";

const model = "anthropic/claude-sonnet-4-5";
const head = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" };
const usage = { input_tokens: 10, output_tokens: 20 };
const byId = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

/** A group with a function and a tool for free text, and a function of the same name beside it. */
const tools = [
  {
    type: "namespace",
    name: "crm",
    description: "Customers of the shop.",
    tools: [
      { type: "function", name: "get", description: "Reads one.", parameters: byId, strict: false },
      { type: "custom", name: "note", description: "Writes a note." },
    ],
  },
  { type: "function", name: "get", description: "Reads a page.", parameters: byId, strict: false },
] as OpenAI.Responses.Tool[];

const calls = [
  { type: "tool_use", id: "toolu_1", name: "crm__get", input: { id: "7" } },
  { type: "tool_use", id: "toolu_2", name: "crm__note", input: { input: "Called." } },
  { type: "tool_use", id: "toolu_3", name: "get", input: { id: "home" } },
];
const expected = [
  { type: "function_call", call_id: "toolu_1", namespace: "crm", name: "get", arguments: '{"id":"7"}' },
  { type: "custom_tool_call", call_id: "toolu_2", namespace: "crm", name: "note", input: "Called." },
  { type: "function_call", call_id: "toolu_3", name: "get", arguments: '{"id":"home"}' },
];

const events = [
  { type: "message_start", message: { ...head, content: [], stop_reason: null, usage } },
  ...calls.flatMap(({ input, ...call }, index) => [
    { type: "content_block_start", index, content_block: { ...call, input: {} } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: JSON.stringify(input) } },
    { type: "content_block_stop", index },
  ]),
  { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: "message_stop" },
];

describe("tools in groups", () => {
  let client: OpenAI;
  let upstream: TestUpstream;
  const sent = () => JSON.parse(upstream.received.at(-1)?.body.toString() ?? "{}");

  beforeEach(async () => {
    upstream = await startUpstream(({ url, body }, response) => {
      if (url.endsWith("/responses"))
        return json(response, 200, { id: "resp_1", object: "response", status: "completed", output: expected });
      if (!JSON.parse(body.toString()).stream)
        return json(response, 200, { ...head, content: calls, stop_reason: "tool_use", stop_sequence: null, usage });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
    });
    const gateway = await startTestGateway(configFor(upstream.url), secrets);
    client = openAiClient({ url: gateway.url, key: gatewayKey });
  });

  const request = { model, tools, input: [{ role: "user" as const, content: "Look." }] };

  it("are tools of one name for a vendor without groups, and calls of them name their group", async () => {
    const { data, response } = await client.responses.create(request).withResponse();
    expect(data.output).toMatchObject(expected);
    expect(data.output[2]).not.toHaveProperty("namespace");
    expect(response.headers.get("x-gateway-dropped-params")).toBeNull();
    expect(sent().tools).toMatchObject([
      { name: "crm__get", description: "Customers of the shop.\n\nReads one.", input_schema: byId },
      { name: "crm__note", description: expect.stringMatching(/^Customers of the shop\.\n\nWrites a note\./) },
      { name: "get", description: "Reads a page." },
    ]);
  });

  it("are called in streams as in whole answers", async () => {
    const done: unknown[] = [];
    const added: unknown[] = [];
    for await (const event of await client.responses.create({ ...request, stream: true })) {
      if (event.type === "response.output_item.added") added.push(event.item);
      else if (event.type === "response.output_item.done") done.push(event.item);
      else if (event.type === "response.completed") expect(event.response.output).toMatchObject(expected);
    }
    expect(done).toMatchObject(expected);
    expect(added).toMatchObject(expected.map(({ type, name }) => ({ type, name })));
    expect(added[0]).toMatchObject({ namespace: "crm" });
  });

  it("are called by the same names in what was said before", async () => {
    const { output } = await client.responses.create(request);
    const results = output.map((item) => ({
      type: item.type === "custom_tool_call" ? "custom_tool_call_output" : "function_call_output",
      call_id: "call_id" in item ? item.call_id : "",
      output: "Done.",
    }));
    const input = [...request.input, ...output, ...results] as OpenAI.Responses.ResponseInput;
    await client.responses.create({ ...request, input });
    expect(sent().messages[1]).toEqual({ role: "assistant", content: calls });
    expect(sent().messages[2].content).toMatchObject(calls.map(({ id }) => ({ tool_use_id: id })));
  });

  it("are left out, and said to be, where one of them is nothing a function could be", async () => {
    const [group] = tools as unknown as [{ tools: unknown[] }];
    const search = { ...group, tools: [...group.tools, { type: "web_search" }] } as unknown as OpenAI.Responses.Tool;
    const { response } = await client.responses.create({ ...request, tools: [search] }).withResponse();
    expect(response.headers.get("x-gateway-dropped-params")).toBe("tools.crm");
    expect(sent().tools ?? []).toEqual([]);
  });

  it("have no name longer than vendors take, and each one of its own", async () => {
    const long = "n".repeat(60);
    const [group] = tools as unknown as [object];
    const inner = ["a", "b"].map((name) => ({ type: "function", name: `${long}${name}`, parameters: byId }));
    await client.responses.create({
      ...request,
      tools: [{ ...group, tools: inner } as unknown as OpenAI.Responses.Tool],
    });
    const names = sent().tools.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^crm__n+_[0-9a-f]{8}$/);
    expect(Math.max(...names.map(({ length }: string) => length))).toBe(64);
  });

  it("stay in groups on their way to a vendor that has them, also where the request is written anew", async () => {
    const history = [...request.input, ...expected] as OpenAI.Responses.ResponseInput;
    for (const headers of [{}, { "x-gateway-config": JSON.stringify({ override_params: { temperature: 0 } }) }]) {
      const { output } = await client.responses.create(
        { ...request, input: history, model: "openai/gpt-5" },
        { headers },
      );
      expect(output).toMatchObject(expected);
      expect(sent()).toMatchObject({ tools, input: history });
    }
  });
});
