import { eventFrame, exceptionFrame } from "../../core/index.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { type Answering, startUpstream } from "../../test/support/upstream.ts";

/** A gateway before a Bedrock made for a test. */
const config = (url: string, more = "") => `
plugins:
  auth-open: {}
  routing: { default: aws }
  format-openai-chat: {}
  format-anthropic-messages: {}
  format-bedrock-converse: {}
  format-openai-completions: {}
  format-openai-embeddings: {}
  format-cohere-chat: {}
  format-rerank: {}
  format-openai-images: {}
  format-images: {}
  proxy: {}
providers:
  aws:
    use: bedrock
    region: eu-west-1
    baseUrl: ${url}
    accessKeyId: AKIDFILE
    secretAccessKey: secret-of-the-file
${more}`;

export const claude = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
export const messages = [{ role: "user", content: "Hello" }];
export const answer = {
  output: { message: { role: "assistant", content: [{ text: "Hi." }] } },
  stopReason: "end_turn",
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
  metrics: { latencyMs: 1 },
};
export const frames = (...all: (readonly [string, object])[]) =>
  Buffer.from(all.map(([type, wire]) => eventFrame(type, JSON.stringify(wire))).join(""), "latin1");
export const inner = (wire: object): readonly [string, object] => [
  "chunk",
  { bytes: Buffer.from(JSON.stringify(wire)).toString("base64"), p: "abcd" },
];
export const exception = (type: string, message: string) =>
  Buffer.from(exceptionFrame(type, JSON.stringify({ message })), "latin1");

export async function setUp(answering: Answering, more = "") {
  const upstream = await startUpstream(answering);
  const gateway = await startTestGateway(config(upstream.url, more));
  const ask = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const chat = (body: object, headers?: Record<string, string>) =>
    ask("/v1/chat/completions", { model: claude, messages, ...body }, headers);
  return { upstream, gateway, ask, chat, sent: () => upstream.received.at(-1) };
}

/** Sends bytes as a stream of AWS's kind, each piece by itself: Node 26 puts those of one turn together. */
export const streaming =
  (...pieces: readonly Buffer[]): Answering =>
  async (_, response) => {
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    for (const piece of pieces) await new Promise((written) => response.write(piece, written));
    response.end();
  };

/** A provider whose storage is at the stand-in, too. */
export const keeping = {
  region: "eu-west-1",
  baseUrl: "{url}",
  storageUrl: "{url}/storage",
  accessKeyId: "AKIDFILE",
  secretAccessKey: "secret-of-the-file",
};
/** A file there, by its id. */
export const fileId = encodeURIComponent("s3://bucket-1/dir/in.jsonl");
/** As the OpenAI client writes an id into a URL. */
export const inUrl = (text: string): string => encodeURIComponent(text);
export const s3Signature = /^authorization: AWS4-HMAC-SHA256 Credential=AKIDFILE\/\d{8}\/eu-west-1\/s3\/aws4_request, /;
export const bedrockSignature =
  /^authorization: AWS4-HMAC-SHA256 Credential=AKIDFILE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, /;
