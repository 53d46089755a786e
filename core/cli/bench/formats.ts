/** What clients of each chat format send. Data only. */

export type BenchFormat = "chat" | "responses" | "messages" | "gemini" | "cohere" | "converse";

interface Client {
  /** The format plugin. */
  readonly plugin: string;
  path(streams: boolean): string;
  body(text: string): object;
  /** Whether the body says that the answer is to be streamed; the path does otherwise. */
  readonly saysStream: boolean;
}

/** The model of every request. */
const model = "bench";

export const clients: Readonly<Record<BenchFormat, Client>> = {
  chat: {
    plugin: "openai-chat",
    path: () => "/v1/chat/completions",
    body: (content) => ({ model, messages: [{ role: "user", content }] }),
    saysStream: true,
  },
  responses: {
    plugin: "openai-responses",
    path: () => "/v1/responses",
    body: (input) => ({ model, input }),
    saysStream: true,
  },
  messages: {
    plugin: "anthropic-messages",
    path: () => "/v1/messages",
    body: (content) => ({ model, max_tokens: 256, messages: [{ role: "user", content }] }),
    saysStream: true,
  },
  gemini: {
    plugin: "gemini",
    path: (streams) => `/v1beta/models/${model}:${streams ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    saysStream: false,
  },
  cohere: {
    plugin: "cohere-chat",
    path: () => "/v2/chat",
    body: (content) => ({ model, messages: [{ role: "user", content }] }),
    saysStream: true,
  },
  converse: {
    plugin: "bedrock-converse",
    path: (streams) => `/model/${model}/${streams ? "converse-stream" : "converse"}`,
    body: (text) => ({ messages: [{ role: "user", content: [{ text }] }] }),
    saysStream: false,
  },
};

export const benchFormats = Object.keys(clients) as BenchFormat[];

/** One request of a client. */
export interface Ask {
  readonly path: string;
  readonly body: Buffer;
}

export function askOf(format: BenchFormat, text: string, streams: boolean): Ask {
  const { path, body, saysStream } = clients[format];
  const json = { ...body(text), ...(streams && saysStream && { stream: true }) };
  return { path: path(streams), body: Buffer.from(JSON.stringify(json)) };
}
