import type { IncomingMessage, ServerResponse } from "node:http";
import { startTestGateway } from "./gateway.ts";
import { call } from "./raw-call.ts";
import { json, startUpstream } from "./upstream.ts";

export interface Arrived {
  readonly response: ServerResponse;
  readonly incoming: IncomingMessage;
  readonly stream: boolean;
  readonly model: string;
}

export type Vendor = (arrived: Arrived) => void;

export const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  })}\n\n`;

export const opening = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ role: "assistant", content: "" }));
};

export const well =
  (name: string): Vendor =>
  ({ response, stream }) => {
    if (!stream) {
      const message = { role: "assistant", content: `from ${name}` };
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      return json(response, 200, { id: "c", object: "chat.completion", created: 1, model: "m", choices });
    }
    opening(response);
    response.end(`${chunk({ content: `from ${name}` })}${chunk({}, "stop")}data: [DONE]\n\n`);
  };

export const silent: Vendor = () => undefined;
export const failing: Vendor = ({ response }) => json(response, 503, { error: { message: "No." } });
export const dyingAtOnce: Vendor = ({ response }) => {
  opening(response);
  response.end();
};
export const dyingLater: Vendor = ({ response }) => {
  opening(response);
  response.write(chunk({ content: "half a" }), () => response.destroy());
};

/** A gateway before two vendors, and what it asked of them. */
export async function startTwoVendors(vendors: Record<"alpha" | "beta", Vendor>, server: object = {}) {
  const asked: (Arrived & { readonly name: string })[] = [];
  const upstream = await startUpstream(({ url, body }, response, incoming) => {
    const name = url.split("/")[1] as "alpha" | "beta";
    const { stream, model } = body.length === 0 ? {} : JSON.parse(`${body}`);
    const arrived = { name, response, incoming, stream: stream === true, model };
    asked.push(arrived);
    vendors[name](arrived);
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      server,
      plugins: {
        "auth-open": {},
        routing: {},
        "strategy-fallback": {},
        "strategy-loadbalance": {},
        "strategy-hedge": {},
        "strategy-shadow": {},
        "stream-resume": {},
        "circuit-breaker": {},
        retry: {},
        guardrails: {},
        proxy: {},
        checks: {},
        "format-openai-chat": {},
        "format-gemini": {},
        "format-openai-files": {},
        "access-log": {},
      },
      providers: {
        ...Object.fromEntries(
          ["alpha", "beta"].map((slug) => [
            slug,
            { use: "openai", apiKey: `${slug}-key-012345`, baseUrl: `${upstream.url}/${slug}` },
          ]),
        ),
        raw: { use: "passthrough", baseUrl: `${upstream.url}/beta` },
      },
    }),
  );
  const lines = () => gateway.log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
  async function ask(strategy: object, more: { stream: boolean; headers?: Record<string, string>; leaf?: object }) {
    return send({ strategy, targets: [{ provider: "@alpha", ...more.leaf }, { provider: "@beta" }] }, more);
  }
  async function send(config: object, more: { stream: boolean; headers?: Record<string, string> }) {
    const headers = {
      "content-type": "application/json",
      "x-gateway-config": JSON.stringify(config),
      "x-gateway-debug": "true",
      ...more.headers,
    };
    const body = JSON.stringify({ model: "m", stream: more.stream, messages: [{ role: "user", content: "Hi" }] });
    const answered = await call(`${gateway.url}/v1/chat/completions`, { method: "POST", headers }, body);
    return {
      status: answered.status,
      text: answered.body.toString(),
      used: answered.headers["x-gateway-last-used-option-index"],
      retries: answered.headers["x-gateway-retry-attempt-count"],
    };
  }
  return { ask, send, asked, lines, gateway };
}
