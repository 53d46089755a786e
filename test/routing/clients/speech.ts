import type { Fields } from "../trees.ts";

/** What a request says in whatever format, as far as walks look at it. */
export interface Said {
  readonly model: unknown;
  readonly streams: boolean;
  /** The texts of its messages: some vendors make one turn of those that a caller has said one after the other. */
  readonly text: string;
  readonly temperature?: unknown;
}

/** One format, as a vendor speaks it. */
export interface Speech {
  /** The answer to the how many-th call, which says so: in one piece, and as the frames of a stream. */
  whole(call: number): string;
  pieces(call: number): readonly string[];
  refusal(error: { readonly message: string; readonly code: string; readonly status: number }): object;
  /** What it was asked: below its base URL, and in the body. */
  asked(path: string, body: Fields): Said;
  /** The credential in the headers of a call. */
  readonly key: { readonly header: string; readonly before: string };
}

/** An answer as a client of some format reads it. */
export interface Read {
  readonly text: string;
  /** Whether it says that it is all of it. */
  readonly isWhole: boolean;
  /** What ends it instead. */
  readonly error?: unknown;
}

/** One format, as a client speaks it. */
export interface Client {
  readonly name: string;
  /** Names of what others say as well: its list of messages, and the most tokens of an answer. */
  readonly messages: string;
  /** The body a user of it would write for a conversation. */
  write(texts: readonly string[], more: Fields): Fields;
  /** Where it goes, and what is left to be said in the body. */
  sent(body: Fields): { readonly path: string; readonly body: Fields };
  /** Whether a field goes no further than the gateway on its way to a provider that speaks something else. */
  loses(name: string, value: unknown, provider: string): boolean;
  texts(body: Fields): readonly unknown[];
  temperature(body: Fields): unknown;
  readWhole(json: Fields): string;
  readStream(text: string): Read;
  /** What clients look for in every error, whoever made it. */
  readonly error: object;
  /** How what guardrails found is told beside a stream; not at all where there is no form for it. */
  readonly aside?: (side: "before_request_hooks" | "after_request_hooks") => string;
  /** Vendors that speak so are told everything, and what they say may be passed through. */
  readonly speech: Speech;
  readonly isPassedThrough: boolean;
}

const sse = (data: object, event?: string) =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

const usual = (call: number) => [`call ${call}`, " and more"] as const;

type Listed = readonly { readonly content?: unknown; readonly parts?: readonly { readonly text: unknown }[] }[];
const listed = (value: unknown): Listed => (Array.isArray(value) ? (value as Listed) : []);

/** A content that is one text, or a list of parts that have texts. */
const textIn = (content: unknown): unknown =>
  Array.isArray(content) ? content.map(({ text }: { text: unknown }) => text).join("") : content;

const chunk = (delta: object, finish_reason: string | null = null) =>
  sse({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  });

export const chatSpeech: Speech = {
  key: { header: "authorization", before: "Bearer " },
  whole: (call) =>
    JSON.stringify({
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: `call ${call}` }, finish_reason: "stop" }],
    }),
  pieces(call) {
    const [first, second] = usual(call);
    return [
      chunk({ role: "assistant", content: first }),
      chunk({ content: second }),
      chunk({}, "stop"),
      "data: [DONE]\n\n",
    ];
  },
  refusal: ({ message, code }) => ({ error: { message, type: "t", param: null, code } }),
  asked: (_, { model, stream, messages, temperature }) => ({
    model,
    streams: stream === true,
    text: listed(messages)
      .map(({ content }) => textIn(content))
      .join(""),
    temperature,
  }),
};

const message = { id: "msg", type: "message", role: "assistant", model: "m" };

export const messagesSpeech: Speech = {
  key: { header: "x-api-key", before: "" },
  whole: (call) =>
    JSON.stringify({
      ...message,
      content: [{ type: "text", text: `call ${call}` }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  pieces(call) {
    const [first, second] = usual(call);
    const usage = { input_tokens: 1, output_tokens: 1 };
    const begun = { ...message, content: [], stop_reason: null, stop_sequence: null, usage };
    const event = (data: { readonly type: string } & Fields) => sse(data, data.type);
    const delta = (text: string) =>
      event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
    return [
      event({ type: "message_start", message: begun }) +
        event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
        delta(first),
      delta(second),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage }),
      event({ type: "message_stop" }),
    ];
  },
  refusal: ({ message: text, code }) => ({ type: "error", error: { type: code, message: text } }),
  asked: chatSpeech.asked,
};

const candidate = (text: string, finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...(finishReason && { finishReason }) }],
  modelVersion: "m",
});

export const geminiSpeech: Speech = {
  key: { header: "x-goog-api-key", before: "" },
  whole: (call) => JSON.stringify(candidate(`call ${call}`, "STOP")),
  pieces(call) {
    const [first, second] = usual(call);
    return [sse(candidate(first)), sse(candidate(second, "STOP"))];
  },
  refusal: ({ message: text, status }) => ({ error: { code: status, message: text, status: "ABORTED" } }),
  asked(path, { contents, generationConfig }) {
    const [, model = "", action] = /^v1beta\/models\/(.*):(\w+)/.exec(path) ?? [];
    return {
      model: decodeURIComponent(model),
      streams: action === "streamGenerateContent",
      text: listed(contents)
        .map(({ parts }) => textIn(parts))
        .join(""),
      temperature: (generationConfig as Fields | undefined)?.temperature,
    };
  },
};

const response = (status: string, output: readonly object[]) => ({
  id: "r",
  object: "response",
  created_at: 1,
  model: "m",
  status,
  output,
});
const item = (text: string) => ({
  id: "i",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});

export const responsesSpeech: Speech = {
  ...chatSpeech,
  whole: (call) => JSON.stringify(response("completed", [item(`call ${call}`)])),
  pieces(call) {
    const texts = usual(call);
    const event = (type: string, data: Fields) => sse({ type, ...data }, type);
    const at = { item_id: "i", output_index: 0, content_index: 0 };
    const deltas = texts.map((delta) => event("response.output_text.delta", { ...at, delta }));
    const done = item(texts.join(""));
    return [
      event("response.created", { response: response("in_progress", []) }) +
        event("response.output_item.added", { output_index: 0, item: { ...done, content: [] } }) +
        event("response.content_part.added", { ...at, part: { type: "output_text", text: "", annotations: [] } }) +
        deltas[0],
      `${deltas[1]}`,
      event("response.output_text.done", { ...at, text: texts.join("") }) +
        event("response.output_item.done", { output_index: 0, item: done }),
      event("response.completed", { response: response("completed", [done]) }),
    ];
  },
  asked: (_, { model, stream, input, temperature }) => ({
    model,
    streams: stream === true,
    text: listed(input)
      .map(({ content }) => textIn(content))
      .join(""),
    temperature,
  }),
};

const speeches: readonly (readonly [path: RegExp, Speech])[] = [
  [/^messages$/, messagesSpeech],
  [/^responses$/, responsesSpeech],
  [/^v1beta\//, geminiSpeech],
];

/** Who speaks at a path of a vendor. */
export const speechAt = (path: string): Speech => speeches.find(([at]) => at.test(path))?.[1] ?? chatSpeech;
