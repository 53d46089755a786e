import { beforeEach, describe, expect, it } from "vitest";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startUpstream, type TestUpstream } from "../support/upstream.ts";

const parameters = { type: "object", properties: {} };
const patch = { type: "custom", name: "apply_patch", description: "Patches.", format: { type: "text" } };
const search = { type: "tool_search", execution: "client", description: "Finds tools.", parameters };
const inner = { type: "function", name: "get", parameters, strict: true };
const group = { type: "namespace", name: "crm", description: "Customers.", tools: [inner] };
const look = { type: "function", name: "look", parameters, strict: false };
const tools = [look, patch, search, group, { type: "web_search" }];
const asked = { input: [{ role: "user", content: "Go on." }], tools };

/** A vendor that calls what it is told to. */
const call = (name: string, args: object) => ({
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name,
  arguments: JSON.stringify(args),
  status: "completed",
});
const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7, num_sources_used: 2, cost_in_usd_ticks: 42 };
const kept = { store: true, temperature: 0.7, previous_response_id: "resp_0" };
const answerOf = (item: object) => ({
  ...kept,
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "m",
  output: [{ type: "web_search_call", id: "ws_1", status: "completed" }, item],
  usage,
});
const streamOf = (item: Record<string, unknown>) => [
  { type: "response.created", response: { ...answerOf(item), status: "in_progress", output: [] } },
  { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "", status: "in_progress" } },
  { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_1", delta: item.arguments },
  { type: "response.output_item.done", output_index: 0, item },
  { type: "response.completed", response: { ...answerOf(item), output: [item] } },
];

describe("clients of the Responses API that ask a vendor of it who knows functions only", () => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  let item: Record<string, unknown>;
  beforeEach(async () => {
    item = call("look", {});
    upstream = await startUpstream(({ body }, reply) => {
      const streams = JSON.parse(`${body}`).stream === true;
      reply.writeHead(200, { "content-type": streams ? "text/event-stream" : "application/json" });
      if (streams)
        for (const event of streamOf(item)) reply.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      reply.end(streams ? "" : JSON.stringify(answerOf(item)));
    });
    const vendors = `
  x-ai: { apiKey: "\${VENDOR_KEY}", baseUrl: HERE }
  openrouter: { apiKey: "\${VENDOR_KEY}", baseUrl: HERE }
`;
    gateway = await startTestGateway(configFor(upstream.url) + vendors.replaceAll("HERE", upstream.url), secrets);
  });

  const ask = (body: object, model = "x-ai/grok-4.6") => post(JSON.stringify({ model, ...body }));
  const post = async (body: string) => {
    const reply = await fetch(`${gateway.url}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${gatewayKey}` },
      body,
    });
    return { reply, text: await reply.text() };
  };
  const sent = () => JSON.parse(`${upstream.received.at(-1)?.body}`);

  it("offer it functions, and what it runs itself", async () => {
    const { reply } = await ask(asked);
    expect(sent().tools.map(({ type, name }: { type: string; name: string }) => name ?? type)).toEqual([
      "look",
      "apply_patch",
      "tool_search",
      "crm__get",
      "web_search",
    ]);
    expect(sent().tools[1]).toMatchObject({ type: "function", strict: false, parameters: { required: ["input"] } });
    expect(reply.headers.get("x-gateway-dropped-params")).toBeNull();
  });

  it.each<[string, Record<string, unknown>, object]>([
    [
      "a tool that takes free text",
      call("apply_patch", { input: "+a" }),
      { type: "custom_tool_call", name: "apply_patch", input: "+a" },
    ],
    [
      "a tool of a group",
      call("crm__get", { id: 1 }),
      { type: "function_call", name: "get", namespace: "crm", arguments: '{"id":1}' },
    ],
    [
      "a search",
      call("tool_search", { query: "q" }),
      { type: "tool_search_call", execution: "client", arguments: { query: "q" } },
    ],
    ["a function", call("look", {}), { type: "function_call", name: "look", id: "fc_1" }],
  ])("are told of a call of %s in their own words, whole and streamed", async (_, called, told) => {
    item = called;
    const whole = JSON.parse((await ask(asked)).text);
    expect(whole).toMatchObject({ id: "resp_1", status: "completed", usage: { input_tokens: 5, output_tokens: 2 } });
    expect(whole.output).toMatchObject([
      { type: "web_search_call" },
      { call_id: "call_1", status: "completed", ...told },
    ]);
    const { text } = await ask({ ...asked, stream: true });
    const done = text.split("\n").filter((line) => line.startsWith('data: {"type":"response.output_item.done"'));
    expect(done.map((line) => JSON.parse(line.slice(6)).item)).toMatchObject([{ call_id: "call_1", ...told }]);
    expect(text).toContain("event: response.completed");
  });

  it("are understood when they go on", async () => {
    const said = [
      { type: "custom_tool_call", id: "ctc_1", call_id: "1", name: "apply_patch", input: "+a", status: "completed" },
      { type: "custom_tool_call_output", id: "o_1", call_id: "1", output: "Done." },
      { type: "tool_search_call", call_id: "2", execution: "client", arguments: { query: "q" } },
      { type: "tool_search_output", call_id: "2", execution: "client", tools: [{ ...group, name: "shop" }] },
      { type: "function_call", id: "fc_2", call_id: "3", namespace: "shop", name: "get", arguments: "{}" },
      { type: "function_call_output", call_id: "3", output: "1" },
    ];
    item = call("shop__get", {});
    const { text } = await ask({ ...asked, input: [...asked.input, ...said] });
    expect(sent().input.slice(1)).toEqual([
      { type: "function_call", call_id: "1", name: "apply_patch", arguments: '{"input":"+a"}', status: "completed" },
      { type: "function_call_output", call_id: "1", output: "Done." },
      { type: "function_call", call_id: "2", name: "tool_search", arguments: '{"query":"q"}' },
      { type: "function_call_output", call_id: "2", output: "These tools can be called now: shop__get." },
      { type: "function_call", id: "fc_2", call_id: "3", name: "shop__get", arguments: "{}" },
      { type: "function_call_output", call_id: "3", output: "1" },
    ]);
    expect(sent().tools.at(-1)).toMatchObject({ type: "function", name: "shop__get" });
    expect(JSON.parse(text).output[1]).toMatchObject({ name: "get", namespace: "shop" });
  });

  it("are passed on as they are where they have nothing else, or the vendor knows all of it", async () => {
    const plain = { ...asked, tools: [look], previous_response_id: "resp_0" };
    await ask(plain);
    expect(sent()).toEqual({ ...plain, model: "grok-4.6" });
    await ask(asked, "openrouter/deepseek/deepseek-v4");
    expect(sent()).toEqual({ ...asked, model: "deepseek/deepseek-v4" });
  });

  it.each([false, true])(
    "are passed on byte for byte where it is only called like something else: stream %s",
    async (stream) => {
      const named = { namespace: { type: "string" }, how: { enum: ["custom", "shell", "apply_patch", "tool_search"] } };
      const kubernetes = { ...look, parameters: { type: "object", properties: named } };
      const input = [
        { role: "user", content: 'Which "namespace"?' },
        { type: "function_call", call_id: "1", name: "shell", arguments: "{}" },
        { type: "function_call_output", call_id: "1", output: '"shell"' },
      ];
      const body = JSON.stringify(
        { model: "x-ai/grok-4.6", stream, tools: [kubernetes, { type: "web_search" }], input },
        null,
        1,
      );
      const { text } = await post(body);
      expect(`${upstream.received.at(-1)?.body}`).toBe(body.replace("x-ai/", ""));
      const vendors = streamOf(item).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      expect(text).toBe(stream ? vendors.join("") : JSON.stringify(answerOf(item)));
    },
  );

  it("are told what the vendor says of the usage and of what it keeps, whole and streamed", async () => {
    expect(JSON.parse((await ask(asked)).text)).toMatchObject({ usage, ...kept });
    const { text } = await ask({ ...asked, stream: true });
    const events = text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));
    expect(events[0]).toMatchObject({ type: "response.created", response: kept });
    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { usage, ...kept } });
  });

  it("may go on from what the vendor keeps, and are told what is left out", async () => {
    const { reply } = await ask({ ...asked, tools: [patch, { type: "tool_search" }], previous_response_id: "resp_0" });
    expect(sent()).toMatchObject({
      previous_response_id: "resp_0",
      tools: [{ type: "function", name: "apply_patch" }],
    });
    expect(reply.headers.get("x-gateway-dropped-params")).toBe("tools.tool_search");
  });

  it("have nothing said of searches that OpenAI made, nor of calls where nothing is left to call", async () => {
    const waiting = { ...look, defer_loading: true };
    const found = [
      { type: "tool_search_call", call_id: null, execution: "server", arguments: {} },
      { type: "tool_search_output", call_id: null, execution: "server", tools: [waiting] },
    ];
    const input = [...asked.input, ...found, ...asked.input];
    const { reply } = await ask({ input, tools: [{ type: "tool_search" }, waiting] });
    expect(sent()).toMatchObject({ tools: [look] });
    expect(sent().tools[0]).toEqual(look);
    expect(sent().input).toHaveLength(2);
    const lost = "messages.tool_search_call,messages.tool_search_output,tools.tool_search";
    expect(reply.headers.get("x-gateway-dropped-params")).toBe(lost);
    const alone = { ...asked, tools: [{ type: "tool_search" }], tool_choice: "required", parallel_tool_calls: false };
    const left = (await ask(alone)).reply.headers.get("x-gateway-dropped-params");
    expect(left).toBe("parallel_tool_calls,tool_choice,tools.tool_search");
    expect(Object.keys(sent()).sort()).toEqual(["input", "model"]);
  });
});
