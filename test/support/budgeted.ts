import type { Principal } from "../../core/index.ts";
import { clock } from "./clocked-counters.ts";
import { folderOfFile } from "./folder-of-file.ts";
import { streamed } from "./limited.ts";
import { startManagement, supportPlugin } from "./management.ts";
import { json, startUpstream } from "./upstream.ts";

export interface Chat {
  /** An API key; else whoever `who` says. */
  readonly key?: string;
  readonly who?: { readonly [Name in keyof Principal]?: Principal[Name] | undefined };
  /** A slug; `main-oai` unless said otherwise. */
  readonly provider?: string;
  /** Total tokens of the answer, a cent each. */
  readonly tokens?: number;
  readonly metadata?: Record<string, string> | undefined;
  /** `fails` is one the vendor fails for, `fails once` one it answers for when it is asked again, as it is then. */
  readonly model?: string;
  readonly stream?: boolean;
}

interface Held {
  readonly there: Moment;
  readonly letGo: Moment;
}

interface Moment {
  readonly over: Promise<void>;
  readonly come: () => void;
}

function moment(): Moment {
  let come = () => {};
  const over = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { over, come };
}

/** A gateway with everything that has budgets kept as records, before a vendor that uses as much as it is told. */
export async function startBudgeted(plugins: Record<string, unknown> = {}) {
  clock.storeIsDown = false;
  clock.now = Date.now();
  let held: Held | undefined;
  /** The next call reaches the vendor, and waits there until it is let go. */
  const holdNext = (): Held => {
    held = { there: moment(), letGo: moment() };
    return held;
  };
  let isAgain = false;
  const upstream = await startUpstream(async ({ body }, response) => {
    const holding = held;
    held = undefined;
    holding?.there.come();
    await holding?.letGo.over;
    const { model, messages, stream } = JSON.parse(`${body}`);
    const tokens = Number(messages[0].content);
    const usage = { prompt_tokens: 0, completion_tokens: tokens, total_tokens: tokens };
    if (model === "fails") return json(response, 503, { error: { message: "No.", type: "t" } });
    if (model === "fails once") {
      isAgain = !isAgain;
      if (isAgain) return json(response, 429, { error: { message: "No.", type: "t" } }, { "retry-after-ms": "1" });
    }
    if (stream === true) return streamed(response, usage);
    const message = { role: "assistant", content: "Hi" };
    json(response, 200, {
      id: "c",
      object: "chat.completion",
      created: 1,
      model,
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage,
    });
  });
  const folder = folderOfFile();
  const management = await startManagement(
    {
      "clocked-counters": supportPlugin(folder, "clocked-counters"),
      "penny-prices": supportPlugin(folder, "penny-prices"),
      encryption: { key: "5e".repeat(32) },
      "audit-log": {},
      "api-keys": { bootstrapKey: "the-first-key-of-a-test" },
      integrations: {},
      "policy-records": {},
      "usage-limits": {},
      "rate-limits": {},
      routing: {},
      retry: {},
      "format-openai-chat": {},
      ...plugins,
    },
    {
      folder,
      providers: { "main-oai": { use: "openai", apiKey: "sk-0123456789", baseUrl: `${upstream.url}/v1` } },
      variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
    },
  );
  const { gateway, organisation, workspace } = management;

  /** The status, the body's error, and the headers. */
  async function chat({ key, who, provider = "main-oai", tokens = 0, metadata, model = "gpt-4o", stream }: Chat = {}) {
    const principal = { id: "K1", organisation, workspace: workspace.id, ...who };
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined
          ? { "x-test-principal": JSON.stringify(principal) }
          : { "x-gateway-api-key": key, "x-test-principal": "" }),
        ...(model === "fails once" ? againAt(provider) : { "x-gateway-provider": `@${provider}` }),
        ...(metadata && { "x-gateway-metadata": JSON.stringify(metadata) }),
      },
      body: JSON.stringify({
        model,
        messages: [{ role: "user", content: `${tokens}` }],
        ...(stream && { stream, stream_options: { include_usage: true } }),
      }),
    });
    const text = await response.text();
    const body = (text.startsWith("{") ? JSON.parse(text) : {}) as {
      error?: { code?: string; details?: Record<string, unknown> };
    };
    return { status: response.status, headers: response.headers, error: body.error };
  }
  return { ...management, member: management.as({ workspace: workspace.id }), upstream, chat, clock, holdNext };
}

const againAt = (provider: string) => ({
  "x-gateway-config": JSON.stringify({
    provider: `@${provider}`,
    retry: { attempts: 1, on_status_codes: [429], use_retry_after_headers: true },
  }),
});

export type Budgeted = Awaited<ReturnType<typeof startBudgeted>>;
