import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { Fields } from "../../core/index.ts";
import { json, type Received, startUpstream } from "../support/upstream.ts";

/** What a vendor does with a call: the name of the model it is asked for. */
export const behaviours = ["answers", "thinks", "calls", "stops", "cuts", "drips", "fails", "refuses"] as const;
export type Behaviour = (typeof behaviours)[number];

export interface Call {
  readonly tag: string;
  readonly provider: string;
  readonly method: string;
  readonly path: string;
  readonly body: Fields;
  /** What was answered, where that was an answer. */
  said?: Said;
  /** The whole answer of a vendor that keeps them. */
  response?: Fields;
}

/** What a model says, whatever the vendor: each thing but once. */
export interface Said {
  readonly thought: string | undefined;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly isCut: boolean;
}

const ended = "event: end";
type Write = (response: ServerResponse, asked: Fields, said: Said, call: Call) => readonly string[] | Fields;

/** Vendors of three kinds: of chats, of messages with thinking, and one that keeps responses itself. */
export async function startVendors() {
  const calls: Call[] = [];
  let count = 0;
  const kept = new Map<string, Fields>();
  const say = (behaviour: string, tool = "look"): Said => {
    count++;
    const call = (at: number) => ({ id: `call_${count}_${at}`, name: tool, arguments: `{"at":"${count} ${at}"}` });
    return {
      thought: behaviour === "thinks" ? `thought ${count}` : undefined,
      text: `answer ${count}`,
      calls: behaviour === "calls" ? Array.from({ length: 1 + (count % 2) }, (_, at) => call(at)) : [],
      isCut: behaviour === "stops",
    };
  };
  const upstream = await startUpstream((received, response) => {
    const [, provider = ""] = received.url.split("/");
    const call = callOf(received, provider);
    calls.push(call);
    // A token for each message.
    if (call.path.endsWith("/count_tokens"))
      return json(response, 200, { input_tokens: (call.body.messages as unknown[]).length });
    if (provider === "native" && !(received.method === "POST" && call.path === "/responses"))
      return json(response, ...asksOf(kept, call));
    void answer(response, call);
  });
  const answer = async (response: ServerResponse, call: Call) => {
    const behaviour = String(call.body.model);
    const refuse = (status: number, code = "e") =>
      json(response, status, { error: { message: "No.", type: "t", code } });
    if (behaviour === "fails") return refuse(503);
    if (behaviour === "refuses") return refuse(400);
    const { previous_response_id: previous } = call.body;
    if (call.provider === "native" && typeof previous === "string" && !kept.has(previous))
      return refuse(400, "previous_response_not_found");
    const said = say(behaviour, lastTool(call.body));
    call.said = said;
    const wire = (writers[call.provider] as Write)(response, call.body, said, call);
    if (call.provider === "native" && call.body.store !== false && behaviour !== "cuts")
      kept.set(`${call.response?.id}`, call.response ?? {});
    if (!Array.isArray(wire)) {
      if (behaviour === "cuts") return void response.destroy();
      if (behaviour === "drips") await turns(60);
      return json(response, 200, wire);
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const frame of wire as readonly string[]) {
      if (frame === ended && behaviour === "cuts") {
        await turns(5);
        return void response.destroy();
      }
      if (frame === ended) continue;
      response.write(`${frame}\n\n`);
      if (behaviour === "drips") await turns(40);
    }
    response.end();
  };
  return { url: upstream.url, calls, keeps: (id: unknown) => kept.has(`${id}`) };
}

/** So many turns of the event loop: time goes on without a clock. */
export async function turns(number: number): Promise<void> {
  for (let turn = 0; turn < number; turn++) await setImmediate();
}

/** The name of the last tool that chats are offered. */
const lastTool = ({ tools }: Fields): string | undefined =>
  Array.isArray(tools) ? (tools.at(-1) as { function?: { name: string } }).function?.name : undefined;

const callOf = ({ method, url, headers, body }: Received, provider: string): Call => ({
  tag: `${headers["x-tag"]}`,
  provider,
  method,
  path: url.slice(provider.length + 1),
  body: body.length > 0 ? (JSON.parse(`${body}`) as Fields) : {},
});

const data = (event: Fields): string => `data: ${JSON.stringify(event)}`;
const named = (event: Fields): string => `event: ${event.type}\n${data(event)}`;

const writers: Readonly<Record<string, Write>> = {
  chats(_, { stream }, { text, calls, isCut }) {
    const head = { id: "c", created: 1, model: "m" };
    const finish_reason = isCut ? "length" : calls.length > 0 ? "tool_calls" : "stop";
    const made = calls.map(({ id, ...call }, index) => ({ index, id, type: "function", function: call }));
    const tool_calls = made.length > 0 ? { tool_calls: made } : {};
    const message = { role: "assistant", content: text, ...tool_calls };
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    if (!stream) return { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage };
    const chunk = (choices: Fields[], more = {}) =>
      data({ ...head, object: "chat.completion.chunk", choices, ...more });
    const delta = (one: Fields, reason: string | null = null) =>
      chunk([{ index: 0, delta: one, finish_reason: reason }]);
    return [
      delta({ role: "assistant", content: text.slice(0, 3) }),
      delta({ content: text.slice(3), ...tool_calls }),
      ended,
      delta({}, finish_reason),
      chunk([], { usage }),
      "data: [DONE]",
    ];
  },
  claude(_, { stream }, { thought, text, calls, isCut }) {
    const usage = { input_tokens: 1, output_tokens: 2 };
    const stop_reason = isCut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
    const head = { id: "m", type: "message", role: "assistant", model: "m", stop_sequence: null };
    const signature = `signed ${thought}`;
    const content: Fields[] = [
      ...(thought ? [{ type: "thinking", thinking: thought, signature }] : []),
      { type: "text", text },
      ...calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: JSON.parse(call.arguments) })),
    ];
    if (!stream) return { ...head, content, stop_reason, usage };
    return [
      named({ type: "message_start", message: { ...head, content: [], stop_reason: null, usage } }),
      ...content.flatMap((block, index) => blockEvents(block, index)),
      ended,
      named({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage }),
      named({ type: "message_stop" }),
    ];
  },
  native(_, asked, { thought, text, calls, isCut }, call) {
    const id = `resp_of_vendor_${text.replace(" ", "_")}`;
    const output: Fields[] = [
      ...(thought ? [{ type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: thought }] : []),
      {
        type: "message",
        id: `msg_${id}`,
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      },
      ...calls.map(({ id: call_id, ...one }) => ({
        type: "function_call",
        id: `fc_resp_of_vendor_${call_id}`,
        call_id,
        ...one,
        status: "completed",
      })),
    ];
    const head = { id, object: "response", created_at: 1, model: "m", store: asked.store !== false };
    const status = isCut ? "incomplete" : "completed";
    const previous_response_id = asked.previous_response_id ?? null;
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    const incomplete_details = isCut ? { reason: "max_output_tokens" } : null;
    const response = { ...head, status, incomplete_details, previous_response_id, output, usage };
    call.response = response;
    if (!asked.stream) return response;
    const begun = { ...response, status: "in_progress", output: [], usage: null };
    const events = [
      { type: "response.created", response: begun },
      ...output.flatMap((item, at) => itemEvents(item, at)),
      ended,
      { type: `response.${status}`, response },
    ];
    return events.map((event, at) => (typeof event === "string" ? event : named({ ...event, sequence_number: at })));
  },
};

/** How an item of a response is streamed. */
function itemEvents(item: Fields, output_index: number): Fields[] {
  const place = { output_index, item_id: item.id, content_index: 0 };
  const [part] = (item.content as Fields[] | undefined) ?? [];
  return [
    { type: "response.output_item.added", output_index, item: { ...item, ...(part && { content: [] }) } },
    ...(part
      ? [
          { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
          { type: "response.output_text.delta", ...place, delta: part.text },
          { type: "response.output_text.done", ...place, text: part.text },
          { type: "response.content_part.done", ...place, part },
        ]
      : []),
    { type: "response.output_item.done", output_index, item },
  ];
}

function blockEvents(block: Fields, index: number): string[] {
  const deltas: Readonly<Record<string, Fields[]>> = {
    thinking: [
      { type: "thinking_delta", thinking: block.thinking },
      { type: "signature_delta", signature: block.signature },
    ],
    text: [{ type: "text_delta", text: block.text }],
    tool_use: [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }],
  };
  const empty: Readonly<Record<string, Fields>> = {
    thinking: { thinking: "", signature: "" },
    text: { text: "" },
    tool_use: { input: {} },
  };
  const type = String(block.type);
  return [
    named({ type: "content_block_start", index, content_block: { ...block, ...empty[type] } }),
    ...(deltas[type] ?? []).map((delta) => named({ type: "content_block_delta", index, delta })),
    named({ type: "content_block_stop", index }),
  ];
}

/** What a vendor that keeps responses says when it is asked about one. */
function asksOf(kept: Map<string, Fields>, { method, path }: Call): [number, Fields] {
  const [id = "", what] = path.slice("/responses/".length).split(/[/?]/);
  const response = kept.get(id);
  if (!response) return [404, { error: { message: `No response ${id}.`, type: "invalid_request_error" } }];
  if (method === "DELETE") kept.delete(id);
  return [200, method === "DELETE" ? { id, object: "response", deleted: true } : { ...response, asked: what ?? null }];
}
