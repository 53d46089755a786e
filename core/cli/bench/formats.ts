/** What clients of each chat format send. Data only. */

export type BenchFormat = "chat" | "responses" | "messages" | "gemini" | "cohere" | "converse";

interface Client {
  /** The format plugin. */
  readonly plugin: string;
  path(streams: boolean): string;
  body(text: string): object;
}

/** The model of every request. */
const model = "bench";

const inMessages = (content: string) => ({ model, messages: [{ role: "user", content }] });

export const clients: Readonly<Record<BenchFormat, Client>> = {
  chat: {
    plugin: "openai-chat",
    path: () => "/v1/chat/completions",
    body: inMessages,
  },
  responses: {
    plugin: "openai-responses",
    path: () => "/v1/responses",
    body: (input) => ({ model, input }),
  },
  messages: {
    plugin: "anthropic-messages",
    path: () => "/v1/messages",
    body: (content) => ({ ...inMessages(content), max_tokens: 256 }),
  },
  gemini: {
    plugin: "gemini",
    path: (streams) => `/v1beta/models/${model}:${streams ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
  },
  cohere: {
    plugin: "cohere-chat",
    path: () => "/v2/chat",
    body: inMessages,
  },
  converse: {
    plugin: "bedrock-converse",
    path: (streams) => `/model/${model}/${streams ? "converse-stream" : "converse"}`,
    body: (text) => ({ messages: [{ role: "user", content: [{ text }] }] }),
  },
};

export const benchFormats = Object.keys(clients) as BenchFormat[];

/** One request of a client. */
export interface Ask {
  readonly path: string;
  readonly body: Buffer;
}

export function askOf(format: BenchFormat, text: string, streams: boolean): Ask {
  const { path, body } = clients[format];
  const json = { ...body(text), ...(streams && !saysInPath(format) && { stream: true }) };
  return { path: path(streams), body: Buffer.from(JSON.stringify(json)) };
}

/** Whether it is the path that says if the answer is to be streamed; in others it is the body. */
export const saysInPath = (format: BenchFormat): boolean => clients[format].path(true) !== clients[format].path(false);
