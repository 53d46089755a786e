import { startTestGateway } from "./gateway.ts";
import { call } from "./raw-call.ts";
import { json, startUpstream } from "./upstream.ts";

const key = "team-key-0123456789abcdef";

/** One answer of a vendor: a status, headers beside it, or nothing at all. */
export interface Scripted {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly code?: string;
  readonly silent?: true;
}

/** Stored providers, which all speak OpenAI's format. */
export const slugs = ["alpha", "beta", "gamma"];

const configFor = (vendor: string, configs: object) =>
  JSON.stringify({
    plugins: {
      "auth-keys": { keys: [{ name: "team", key }] },
      routing: { configs },
      "strategy-fallback": {},
      "strategy-loadbalance": {},
      "strategy-conditional": {},
      retry: {},
      "format-openai-chat": {},
    },
    providers: {
      simulator: {},
      ...Object.fromEntries(
        slugs.map((slug) => [slug, { use: "openai", apiKey: `${slug}-key-0123456789`, baseUrl: `${vendor}/${slug}` }]),
      ),
    },
  });

const completion = (from: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: `from ${from}` }, finish_reason: "stop" }],
});

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});

const streamOf = (from: string) =>
  [chunk({ role: "assistant", content: `from ${from}` }), chunk({}, "stop")]
    .map((one) => `data: ${JSON.stringify(one)}\n\n`)
    .concat("data: [DONE]\n\n")
    .join("");

/** A gateway before vendors that answer what the script says, and then well. */
export async function startScripted(script: Readonly<Record<string, readonly Scripted[]>> = {}, configs: object = {}) {
  const left = new Map(Object.entries(script).map(([slug, answers]) => [slug, [...answers]]));
  const upstream = await startUpstream(({ url, body }, response) => {
    const slug = url.split("/")[1] ?? "";
    const { status = 200, headers = {}, code = "e", silent } = left.get(slug)?.shift() ?? {};
    if (silent) return;
    if (status !== 200) return json(response, status, { error: { message: "No.", type: "t", code } }, headers);
    if (JSON.parse(`${body}`).stream !== true) return json(response, 200, completion(slug));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(streamOf(slug));
  });
  const gateway = await startTestGateway(configFor(upstream.url, configs));

  /** Asks with a config: a slug, or what stands in the header. */
  async function ask(config: object | string, more: { body?: object; headers?: Record<string, string> } = {}) {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], ...more.body });
    const headers = {
      "content-type": "application/json",
      "x-gateway-api-key": key,
      "x-gateway-config": typeof config === "string" ? config : JSON.stringify(config),
      ...more.headers,
    };
    const before = upstream.received.length;
    // The config alone says where it goes.
    const options = { method: "POST", headers: { ...headers, "x-gateway-provider": "" } };
    const answered = await call(`${gateway.url}/v1/chat/completions`, options, body);
    return {
      status: answered.status,
      text: answered.body.toString(),
      used: answered.headers["x-gateway-last-used-option-index"],
      retries: answered.headers["x-gateway-retry-attempt-count"],
      provider: answered.headers["x-gateway-provider"],
      called: upstream.received.slice(before).map(({ url }) => url.split("/")[1]),
    };
  }
  return { ask, upstream };
}
