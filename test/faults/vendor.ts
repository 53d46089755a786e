import type { IncomingMessage, ServerResponse } from "node:http";

export type FormatName = "openai" | "anthropic";

const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

const openAiChunk = (delta: object, finish: string | null = null) =>
  sse({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason: finish }] });
const anthropicEvent = (data: { type: string }) => sse(data, data.type);

/** What a vendor of each format says: whole, and in frames, of which the last is the terminator. */
export const said: Readonly<Record<FormatName, { readonly whole: object; readonly frames: readonly string[] }>> = {
  openai: {
    whole: {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    },
    frames: [
      openAiChunk({ role: "assistant", content: "" }),
      openAiChunk({ content: "Hello" }),
      openAiChunk({ content: " there" }),
      openAiChunk({}, "stop"),
      sse("[DONE]"),
    ],
  },
  anthropic: {
    whole: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "Hello there" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 2 },
    },
    frames: [
      {
        type: "message_start",
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " there" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ].map(anthropicEvent),
  },
};

/** What a vendor is to do with a call. */
export interface VendorCall {
  readonly format: FormatName;
  readonly stream: boolean;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** Resolves once the client has the first bytes of its answer. */
  readonly answered: Promise<unknown>;
}

/** Starts an answer that is a stream or not, as was asked for. */
export function begin({ response, stream }: VendorCall): void {
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json", connection: "close" });
}

/** Says the beginning of an answer, and goes on when the client has it; of a whole answer it gets nothing before the end. */
export async function beginThen(call: VendorCall, proceed: () => void): Promise<void> {
  begin(call);
  await new Promise<void>((resolve) => call.response.write(firstOf(call, 3), () => resolve()));
  if (call.stream) await call.answered;
  proceed();
}

/** The first so many frames, or as much of the whole answer. */
export const firstOf = ({ format, stream }: VendorCall, count: number): string =>
  stream ? said[format].frames.slice(0, count).join("") : JSON.stringify(said[format].whole).slice(0, 20 * count);
