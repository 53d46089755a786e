import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const keys = { ann: "key-of-ann-0123456789abcdef", bob: "key-of-bob-0123456789abcdef" };

/** Claude thinks, says something, and calls a tool; a stream where it is asked for one. */
const content = [
  { type: "thinking", thinking: "Weather it is.", signature: "sig-1" },
  { type: "text", text: "Checking." },
  { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } },
];

const events = content.flatMap((block, index) => {
  const begun = block.type === "thinking" ? { type: "thinking", thinking: "", signature: "" } : { ...block, text: "" };
  const deltas =
    block.type === "thinking"
      ? [
          { type: "thinking_delta", thinking: block.thinking },
          { type: "signature_delta", signature: block.signature },
        ]
      : block.type === "text"
        ? [{ type: "text_delta", text: block.text }]
        : [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
  return [
    { type: "content_block_start", index, content_block: block.type === "tool_use" ? { ...block, input: {} } : begun },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
});

const message = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_sequence: null };
const usage = { input_tokens: 5, output_tokens: 5 };

async function start() {
  const upstream = await startUpstream(({ body }, response) => {
    if (!JSON.parse(`${body}`).stream)
      return json(response, 200, { ...message, content, stop_reason: "tool_use", usage });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const all = [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
      ...events,
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
    response.end(all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(""));
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-keys": {
          keys: Object.entries(keys).map(([name, key]) => ({ name, key, scopes: ["completions.write"] })),
        },
        routing: { default: "claude" },
        "format-anthropic-messages": {},
        "format-openai-responses": {},
        "records-file": {},
        "responses-store": {},
      },
      providers: { claude: { use: "anthropic", apiKey: "claude-key-0123", baseUrl: `${upstream.url}/v1` } },
    }),
    {},
    temporaryFolder({}),
  );
  const clientOf = (who: keyof typeof keys) =>
    new OpenAI({ apiKey: keys[who], baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const lastSent = () => JSON.parse(`${upstream.received.at(-1)?.body}`).messages as object[];
  return { ann: clientOf("ann"), bob: clientOf("bob"), lastSent };
}

const question = { role: "user" as const, content: "The weather in Oslo?" };
const ask = { model: "m", max_output_tokens: 4000, reasoning: { effort: "low" as const } };
const tools = [
  { type: "function" as const, name: "weather", strict: false, parameters: { type: "object", properties: {} } },
];

type Input = OpenAI.Responses.ResponseInputItem[];

/** What agents send that rely on the memory of the API: the question, references to what was answered, and the result. */
const goingOn = ({ output }: OpenAI.Responses.Response): Input => [
  question,
  ...output.map(({ id = "" }) => ({ type: "item_reference" as const, id })),
  { type: "function_call_output", call_id: "toolu_1", output: "4 degrees" },
];

const whole = [
  { role: "user", content: question.content },
  { role: "assistant", content },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "4 degrees" }] },
];

describe("references to items that the gateway has given", () => {
  it.each([false, true])("are what was said, with its proof (streamed: %j)", async (stream) => {
    const { ann, lastSent } = await start();
    const asked = { ...ask, tools, input: [question] };
    const first = stream
      ? await ann.responses.stream(asked).finalResponse()
      : await ann.responses.create({ ...asked, stream: false });
    const { data, response } = await ann.responses.create({ ...ask, tools, input: goingOn(first) }).withResponse();
    expect(lastSent()).toEqual(whole);
    expect(response.headers.has("x-gateway-dropped-params")).toBe(false);
    const items = await ann.responses.inputItems.list(data.id, { order: "asc" });
    expect(items.data.map(({ type }) => type)).toEqual([
      "message",
      "reasoning",
      "message",
      "function_call",
      "function_call_output",
    ]);
  });

  it("are of their tenant: to others they are nothing, which is told", async () => {
    const { ann, bob, lastSent } = await start();
    const first = await ann.responses.create({ ...ask, tools, input: [question] });
    const references = goingOn(first).slice(0, -1);
    const { response } = await bob.responses.create({ ...ask, tools, input: references }).withResponse();
    expect(JSON.stringify(lastSent())).not.toContain("Checking.");
    expect(response.headers.get("x-gateway-dropped-params")).toContain("messages.item_reference");
  });

  it("are found in several responses, and unknown ones left out", async () => {
    const { ann, lastSent } = await start();
    const first = await ann.responses.create({ ...ask, tools, input: [question] });
    const second = await ann.responses.create({ ...ask, tools, input: goingOn(first) });
    const unknown = { type: "item_reference" as const, id: `msg_${"0".repeat(32)}_0` };
    const input: Input = [...goingOn(first), ...goingOn(second).slice(1, 3), unknown];
    const { response } = await ann.responses.create({ ...ask, input, store: false }).withResponse();
    expect(lastSent()).toEqual([...whole, { role: "assistant", content: content.slice(0, 2) }]);
    expect(response.headers.get("x-gateway-dropped-params")).toContain("messages.item_reference");
  });
});
