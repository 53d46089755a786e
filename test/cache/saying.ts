import type { FormatName, Wire } from "./wire.ts";

/** What is answered. */
export interface Said {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  /** The text is what a tool is called with. */
  readonly calls: boolean;
  /** Absent where it is not told. */
  readonly output: number | undefined;
}

const input = 5;

const finish = (calls: boolean, [plain, call]: readonly [string, string]) => (calls ? call : plain);
const args = (text: string) => JSON.stringify({ said: text });

const wholes: Readonly<Record<FormatName, (said: Said) => Wire>> = {
  chat: ({ id, model, text, calls, output }) => ({
    id,
    object: "chat.completion",
    created: 1_700_000_000,
    model,
    choices: [
      {
        index: 0,
        message: calls
          ? { role: "assistant", content: null, tool_calls: [chatCall(id, text)] }
          : { role: "assistant", content: text },
        logprobs: null,
        finish_reason: finish(calls, ["stop", "tool_calls"]),
      },
    ],
    ...(output !== undefined && { usage: chatUsage(output) }),
  }),
  messages: ({ id, model, text, calls, output }) => ({
    id,
    type: "message",
    role: "assistant",
    model,
    content: [
      calls ? { type: "tool_use", id: `call-${id}`, name: "look", input: { said: text } } : { type: "text", text },
    ],
    stop_reason: finish(calls, ["end_turn", "tool_use"]),
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  }),
  responses: (said) => response(said, "completed", [item(said)]),
  gemini: ({ id, model, text, calls, output }) => ({
    candidates: [
      {
        index: 0,
        content: {
          role: "model",
          parts: [calls ? { functionCall: { name: "look", args: { said: text } } } : { text }],
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + (output ?? 0),
    },
    modelVersion: model,
    responseId: id,
  }),
};

const chatCall = (id: string, text: string) => ({
  id: `call-${id}`,
  type: "function",
  function: { name: "look", arguments: args(text) },
});
const chatUsage = (output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

const item = ({ id, text, calls }: Said): Wire =>
  calls
    ? {
        type: "function_call",
        id: `fc_${id}`,
        call_id: `call-${id}`,
        name: "look",
        arguments: args(text),
        status: "completed",
      }
    : {
        type: "message",
        id: `msg_${id}`,
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
      };
const response = ({ id, model, output }: Said, status: string, items: readonly Wire[]): Wire => ({
  id: `resp_${id}`,
  object: "response",
  created_at: 1_700_000_000,
  status,
  error: null,
  incomplete_details: null,
  model,
  output: items,
  usage:
    status === "completed" && output !== undefined
      ? { input_tokens: input, output_tokens: output, total_tokens: input + output }
      : null,
});

/** An answer in one piece. */
export const whole = (format: FormatName, said: Said): string => JSON.stringify(wholes[format](said));

const data = (value: Wire): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: Wire): string => `event: ${value.type}\n${data(value)}`;

const streams: Readonly<Record<FormatName, (said: Said) => string[]>> = {
  chat: ({ id, model, text, calls, output }) => {
    const chunk = (choices: readonly Wire[], more: object = {}) =>
      data({ id, object: "chat.completion.chunk", created: 1_700_000_000, model, choices, ...more });
    const delta = (value: object, reason: string | null = null) =>
      chunk([{ index: 0, delta: value, finish_reason: reason }]);
    const call = (more: object) => ({ tool_calls: [{ index: 0, ...more }] });
    const pieces = calls
      ? [
          delta(call({ ...chatCall(id, ""), function: { name: "look", arguments: "" } })),
          delta(call({ function: { arguments: args(text) } })),
        ]
      : [delta({ content: text.slice(0, 9) }), delta({ content: text.slice(9) })];
    return [
      delta({ role: "assistant", content: calls ? null : "" }),
      ...pieces,
      delta({}, finish(calls, ["stop", "tool_calls"])),
      ...(output === undefined ? [] : [chunk([], { usage: chatUsage(output) })]),
      "data: [DONE]\n\n",
    ];
  },
  messages: (said) => {
    const { content, stop_reason, usage, ...message } = wholes.messages(said);
    const block = said.calls ? { ...content[0], input: {} } : { type: "text", text: "" };
    const delta = (text: string) =>
      event({
        type: "content_block_delta",
        index: 0,
        delta: said.calls ? { type: "input_json_delta", partial_json: text } : { type: "text_delta", text },
      });
    const text = said.calls ? args(said.text) : said.text;
    return [
      event({
        type: "message_start",
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }),
      event({ type: "content_block_start", index: 0, content_block: block }),
      delta(text.slice(0, 9)),
      delta(text.slice(9)),
      event({ type: "content_block_stop", index: 0 }),
      event({
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: said.output },
      }),
      event({ type: "message_stop" }),
    ];
  },
  responses: (said) => {
    let sequence_number = 0;
    const next = (type: string, more: object) => event({ type, sequence_number: sequence_number++, ...more });
    const full = item(said);
    const at = { item_id: full.id, output_index: 0 };
    const part = { ...at, content_index: 0 };
    const pieces = said.calls
      ? [
          next("response.function_call_arguments.delta", { ...at, delta: full.arguments }),
          next("response.function_call_arguments.done", { ...at, arguments: full.arguments }),
        ]
      : [
          next("response.content_part.added", { ...part, part: { ...full.content[0], text: "" } }),
          next("response.output_text.delta", { ...part, delta: said.text.slice(0, 9), logprobs: [] }),
          next("response.output_text.delta", { ...part, delta: said.text.slice(9), logprobs: [] }),
          next("response.output_text.done", { ...part, text: said.text, logprobs: [] }),
          next("response.content_part.done", { ...part, part: full.content[0] }),
        ];
    const begun = { ...full, status: "in_progress", ...(said.calls ? { arguments: "" } : { content: [] }) };
    return [
      next("response.created", { response: response(said, "in_progress", []) }),
      next("response.output_item.added", { output_index: 0, item: begun }),
      ...pieces,
      next("response.output_item.done", { output_index: 0, item: full }),
      next("response.completed", { response: response(said, "completed", [full]) }),
    ];
  },
  gemini: (said) => {
    const full = wholes.gemini(said);
    const [{ content, ...candidate }] = full.candidates;
    const piece = (parts: readonly Wire[], last: boolean) =>
      data({
        ...full,
        ...(last ? {} : { usageMetadata: { promptTokenCount: input, totalTokenCount: input } }),
        candidates: [{ index: 0, content: { role: "model", parts }, ...(last && candidate) }],
      });
    return said.calls
      ? [piece(content.parts, false), piece([{ text: "" }], true)]
      : [piece([{ text: said.text.slice(0, 9) }], false), piece([{ text: said.text.slice(9) }], true)];
  },
};

/** The same in frames. */
export const streamed = (format: FormatName, said: Said): string[] => streams[format](said);
