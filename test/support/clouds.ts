import { generateKeyPairSync } from "node:crypto";
import { startTestGateway } from "./gateway.ts";
import { json, type Received, startUpstream } from "./upstream.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const account = JSON.stringify({
  type: "service_account",
  project_id: "p2",
  private_key_id: "key-1",
  private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  client_email: "gateway@p2.iam.gserviceaccount.com",
});
const clientSecret = "client-secret-0123456789";

const configFor = (vendor: string) => `
server: { trustedHosts: [127.0.0.1] }
plugins:
  auth-open: {}
  routing:
    configs:
      bills:
        provider: "@azure"
        deployments: [{ deployment_id: d-bills, alias: bills, api_version: 2024-10-21 }, { deployment_id: d-rest, is_default: true }]
  format-openai-chat: {}
  format-openai-responses: {}
  format-openai-embeddings: {}
  format-anthropic-messages: {}
  format-gemini: {}
  proxy: {}
providers:
  vertex:
    use: vertex-ai
    region: us-central1
    baseUrl: ${vendor}/vertex
    tokenUrl: ${vendor}/google/token
    serviceAccountJson: "\${SERVICE_ACCOUNT}"
  azure:
    use: azure-openai
    baseUrl: ${vendor}/azure/openai
    resourceName: r1
    apiVersion: v1
    authMode: entra
    entraTenantId: tenant-1
    entraClientId: client-1
    entraClientSecret: "\${CLIENT_SECRET}"
    authorityHost: ${vendor}/entra
  foundry: { use: azure-ai, baseUrl: "${vendor}/anthropic", apiKey: foundry-key-0123456789 }
  machine:
    use: azure-openai
    resourceName: r2
    authMode: managed
    identityEndpoint: ${vendor}/identity
`;

const sse = (...events: readonly (object | string)[]) =>
  events.map((one) => (typeof one === "string" ? one : `data: ${JSON.stringify(one)}\n\n`)).join("");

const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
const candidate = (text: string, finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...(finishReason && { finishReason }) }],
  ...(finishReason && { usageMetadata }),
});

/** What Claude answers. */
export const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};
const messageStream = [
  { type: "message_start", message: { ...message, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** What models in OpenAI's format answer. */
export const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4o-2024-11-20",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  prompt_filter_results: [{ prompt_index: 0 }],
};

/** What the vendors answer, by the end of the path. */
export const answers: readonly (readonly [RegExp, object | string])[] = [
  [/\/google\/token$/, { access_token: "google-token-0123456789", expires_in: 3600 }],
  [/\/oauth2\/v2\.0\/token$/, { access_token: "entra-token-0123456789", expires_in: 3600 }],
  [/:generateContent$/, candidate("Hi", "STOP")],
  [/:streamGenerateContent/, sse(candidate("H"), candidate("i", "STOP"))],
  [/:rawPredict$/, message],
  [/\/v1\/messages$/, message],
  [/:streamRawPredict$/, sse('event: vertex_event\ndata: {"type":"vertex_event"}\n\n', ...messageStream)],
  [/:predict$/, { predictions: [{ embeddings: { values: [0.5], statistics: { token_count: 2 } } }] }],
  [/chat\/completions/, completion],
];

const refusal = [{ error: { code: 404, message: "no model for google-token-0123456789", status: "NOT_FOUND" } }];

/** A gateway before vendors of every cloud, which also give tokens. */
export async function startClouds() {
  const upstream = await startUpstream(({ url }, response) => {
    if (url.includes("absent")) return json(response, 404, refusal);
    const [, answer] = answers.find(([path]) => path.test(url)) ?? [];
    if (typeof answer !== "string") return json(response, answer ? 200 : 418, answer ?? {});
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(answer);
  });
  const gateway = await startTestGateway(configFor(upstream.url), {
    SERVICE_ACCOUNT: account,
    CLIENT_SECRET: clientSecret,
  });
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { "content-type": "application/json", "x-gateway-provider": "", authorization: "", ...headers };
    const options = { method: "POST", headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value)) };
    const answered = await fetch(gateway.url + path, { ...options, body: JSON.stringify(body) });
    return { status: answered.status, text: await answered.text(), headers: answered.headers };
  };
  return { upstream, gateway, post };
}

/** What they are asked. */
export const messages = [{ role: "user", content: "How are you?" }];
/** The JSON an upstream was sent. */
export const bodyOf = (received: Received | undefined) => JSON.parse(received?.body.toString() ?? "null");
