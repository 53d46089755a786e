import type { Principal } from "../../core/index.ts";
import { clock } from "./clocked-counters.ts";
import { folderOfFile } from "./folder-of-file.ts";
import { startTestGateway } from "./gateway.ts";
import { supportPlugin, testOrganisation } from "./management.ts";
import { call } from "./raw-call.ts";
import { json, startUpstream } from "./upstream.ts";

/** Who asks, in short: the workspace is `workspace` unless said otherwise. */
export type Asking = Partial<Omit<Principal, "limits">> & {
  readonly limits?: Partial<NonNullable<Principal["limits"]>>;
};

export interface Ask {
  readonly who?: Asking;
  /** `main-oai`, `spare-oai`, `claude-eu`; absent is the first. */
  readonly provider?: string;
  readonly model?: string;
  /** Total tokens of the answer: half of them in, half out. */
  readonly tokens?: number;
  readonly stream?: boolean;
  readonly metadata?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly config?: object;
  readonly body?: object;
  /** What the vendor does: answers another status, or holds its answer back until `release`. */
  readonly say?: { readonly status?: number; readonly held?: true };
  readonly path?: string;
}

export const workspace = "22222222-2222-4222-8222-222222222222";

const vendors = { "main-oai": "openai", "spare-oai": "openai", "claude-eu": "anthropic" };

/** A vendor of the test's own, for the calls it knows; false leaves one to the usual one. Without a body a model is the URL. */
export type Vendor = (
  asked: { readonly model: string; readonly stream?: boolean },
  response: Parameters<typeof json>[0],
) => boolean;

/** A gateway whose callers say who they are and what they are limited to, before vendors that use as much as they are told. */
export async function startLimited(plugins: Record<string, unknown>, vendor?: Vendor) {
  Object.assign(clock, { now: 0, storeIsDown: false });
  const upstream = await startUpstream(({ body, url }, response) => {
    const asked = body.length > 0 ? JSON.parse(`${body}`) : { model: url };
    if (vendor?.(asked, response)) return;
    const said = asked.messages[0].content;
    const { status = 200, tokens = 0, held } = JSON.parse(typeof said === "string" ? said : said[0].text);
    const answer = () => {
      if (status !== 200) return json(response, status, { error: { message: "No.", type: "t" } });
      if (url.endsWith("/messages")) return json(response, 200, message(asked.model, tokens));
      const usage = { prompt_tokens: tokens / 2, completion_tokens: tokens / 2, total_tokens: tokens };
      if (asked.stream === true) return streamed(response, usage);
      return json(response, 200, {
        id: "c",
        object: "chat.completion",
        created: 1,
        model: asked.model,
        choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
        usage,
      });
    };
    if (held) waiting.push(answer);
    else answer();
  });
  const waiting: (() => void)[] = [];
  const folder = folderOfFile();
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        principal: supportPlugin(folder, "principal"),
        "clocked-counters": supportPlugin(folder, "clocked-counters"),
        routing: {},
        "strategy-fallback": {},
        "strategy-loadbalance": {},
        retry: {},
        "format-openai-chat": {},
        "format-anthropic-messages": {},
        ...plugins,
      },
      providers: Object.fromEntries(
        Object.entries(vendors).map(([slug, use]) => [slug, { use, apiKey: "sk-0123456789", baseUrl: upstream.url }]),
      ),
    }),
    {},
    folder,
  );

  async function ask({ who = {}, provider = "main-oai", model = "gpt-4o", tokens = 0, stream, ...more }: Ask = {}) {
    const { limits, ...principal } = who;
    const id = principal.id ?? "K1";
    const said = {
      organisation: testOrganisation,
      workspace,
      ...principal,
      id,
      ...(limits && { limits: { level: "api_key", id, subject: id, usage: [], rate: [], ...limits } }),
    };
    const body = {
      model,
      messages: [{ role: "user", content: JSON.stringify({ tokens, ...more.say }) }],
      ...(stream && { stream, stream_options: { include_usage: true } }),
      ...more.body,
    };
    const headers = {
      "content-type": "application/json",
      "x-test-principal": JSON.stringify(said),
      ...(more.config ? { "x-gateway-config": JSON.stringify(more.config) } : { "x-gateway-provider": `@${provider}` }),
      ...(more.metadata && { "x-gateway-metadata": JSON.stringify(more.metadata) }),
      ...more.headers,
    };
    const path = more.path ?? "/v1/chat/completions";
    const answered = await call(`${gateway.url}${path}`, { method: "POST", headers }, JSON.stringify(body));
    const text = answered.body.toString();
    return { status: answered.status, headers: answered.headers, text, json: () => JSON.parse(text) };
  }
  const release = () => {
    for (const one of waiting.splice(0)) one();
  };
  return { ask, upstream, gateway, clock, release, waiting };
}

const message = (model: string, tokens: number) => ({
  id: "m",
  type: "message",
  role: "assistant",
  model,
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: tokens / 2, output_tokens: tokens / 2 },
});

/** A short answer in pieces, the last of which says what was used. */
export function streamed(response: Parameters<typeof json>[0], usage: object): void {
  begun(response);
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
  response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
}

/** The beginning of such an answer. */
export function begun(response: Parameters<typeof json>[0]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }] }));
}

const chunk = (more: object) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...more })}\n\n`;

/**
 * A vendor of two models, and a hedge between them: `fast` answers when a test lets it, `slow` never does. Those who wait for
 * `fast` are `winners`.
 */
export function race() {
  const winners: Parameters<Vendor>[1][] = [];
  const losers = { called: 0, givenUp: 0 };
  const vendor: Vendor = ({ model }, response) => {
    if (model === "slow") {
      losers.called++;
      response.once("close", () => losers.givenUp++);
    } else if (model === "fast") winners.push(response);
    return model === "slow" || model === "fast";
  };
  const config = {
    strategy: { mode: "hedge", delay: 0 },
    targets: [
      { provider: "@main-oai", override_params: { model: "fast" } },
      { provider: "@spare-oai", override_params: { model: "slow" } },
    ],
  };
  return { vendor, config, winners, losers };
}
