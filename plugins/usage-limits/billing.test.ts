import { get, request } from "node:http";
import { expect, it } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { startLimited, type Vendor } from "../../test/support/limited.ts";
import { supportPlugin, testOrganisation } from "../../test/support/management.ts";
import { json } from "../../test/support/upstream.ts";

const now = Date.parse("2082-09-02T10:00Z");
const day = Date.parse("2082-09-02T00:00Z");
const much = 1_000_000;

const keyed = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
const provided = { conditions: [{ key: "virtual_key", value: "*" }], group_by: [{ key: "virtual_key" }] };
const budgets = (of: object) => ({ ...of, credit_limit: much });
const rates = (of: object) => ({ ...of, unit: "rpd", value: much });
const usageLimits = {
  kc: budgets({ ...keyed, type: "cost" }),
  kt: budgets({ ...keyed, type: "tokens" }),
  kr: budgets({ ...keyed, type: "requests" }),
  pc: budgets({ ...provided, type: "cost" }),
  pt: budgets({ ...provided, type: "tokens" }),
  pr: budgets({ ...provided, type: "requests" }),
};
const rateLimits = {
  ka: rates({ ...keyed, type: "requests" }),
  ku: rates({ ...keyed, type: "tokens" }),
  pa: rates({ ...provided, type: "requests" }),
  pu: rates({ ...provided, type: "tokens" }),
};

/** What is counted of a key or a provider: cents, tokens and requests of budgets; requests and tokens of rates. */
type Counted = readonly [cents: number, tokens: number, requests: number, rateRequests: number, rateTokens: number];
const nothing: Counted = [0, 0, 0, 0, 0];

/** What vendors answer, by model, first things first; then as they are told. */
class Script {
  readonly #lines: { model: string; play: (response: Parameters<Vendor>[1]) => void }[] = [];
  readonly held: Parameters<Vendor>[1][] = [];

  add(model: string, play: (response: Parameters<Vendor>[1]) => void): this {
    this.#lines.push({ model, play });
    return this;
  }

  readonly vendor: Vendor = ({ model }, response) => {
    const at = this.#lines.findIndex((line) => line.model === model);
    const [line] = at < 0 ? [] : this.#lines.splice(at, 1);
    line?.play(response);
    return line !== undefined;
  };
}

const usage = (tokens: number) => ({ prompt_tokens: tokens / 2, completion_tokens: tokens / 2, total_tokens: tokens });
const fails = (status: number, tokens?: number) => (response: Parameters<Vendor>[1]) =>
  json(response, status, {
    error: { message: "No.", type: "t" },
    ...(tokens !== undefined && { usage: usage(tokens) }),
  });

async function start(enforcement: "soft" | "hard", script: Script) {
  const folder = folderOfFile();
  const policies = Object.fromEntries(Object.entries(usageLimits).map(([id, one]) => [id, { ...one, enforcement }]));
  const limited = await startLimited(
    {
      "records-file": {},
      management: {},
      organisations: {},
      "policy-records": { usageLimits: policies, rateLimits },
      "penny-prices": supportPlugin(folder, "penny-prices"),
      "strategy-hedge": {},
      "strategy-shadow": {},
      "cache-memory": {},
      cache: {},
      checks: {},
      guardrails: {},
      proxy: {},
      "rate-limits": {},
      "usage-limits": { flushInterval: 100 },
    },
    script.vendor,
  );
  limited.clock.now = now;
  const counted = (kind: "k" | "p", value: string): Counted => {
    const group = `${kind === "k" ? "api_key" : "virtual_key"}:${value}`;
    const names = [
      ...["cost", "tokens", "requests"].map((type) => `usage:policy:${kind}${type[0]}:${group} ${type}@ever`),
      `rate:policy:${kind}a:${group}:requests:rpd@${day}`,
      `rate:policy:${kind}u:${group}:tokens:rpd@${day}`,
    ];
    const [cost = 0n, ...others] = limited.clock.read(testOrganisation, names);
    const [tokens = 0, requests = 0, asked = 0, paced = 0] = others.map(Number);
    return [Number(cost / 10n ** 10n), tokens, requests, asked, paced];
  };
  return { ...limited, counted };
}

type Started = Awaited<ReturnType<typeof start>>;

const both = [
  { provider: "@main-oai", override_params: { model: "main" } },
  { provider: "@spare-oai", override_params: { model: "spare" } },
];
const fallback = { strategy: { mode: "fallback" }, targets: both };
const guarded = (side: "input" | "output", rule: string): object => ({
  provider: "@main-oai",
  [`${side}_guardrails`]: [{ "default.regexMatch": { rule, not: true }, deny: true }],
});

/** A client that goes away when it has the beginning of its stream; the vendor goes on for nobody. */
async function leaves({ gateway }: Started, script: Script, provider: string): Promise<void> {
  const headers = {
    "content-type": "application/json",
    "x-test-principal": JSON.stringify({ organisation: testOrganisation, workspace: "w", id: "K1" }),
    "x-gateway-provider": `@${provider}`,
  };
  const path = provider === "claude-eu" ? "messages" : "chat/completions";
  const gone = new Promise<void>((resolve) => {
    const asked = request(`${gateway.url}/v1/${path}`, { method: "POST", headers }, (response) => {
      response.once("data", () => asked.destroy());
      response.on("error", () => undefined);
    });
    asked.on("error", () => undefined);
    asked.on("close", () => resolve());
    asked.end(
      JSON.stringify({ model: "main", stream: true, max_tokens: 9, messages: [{ role: "user", content: "x" }] }),
    );
  });
  await gone;
  // The vendor is left as soon as the client has gone.
  await expect.poll(() => script.held.every(({ destroyed }) => destroyed)).toBe(true);
}

const begins = (script: Script, events: readonly string[]) => (response: Parameters<Vendor>[1]) => {
  script.held.push(response);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(event);
};
const openaiStart = `data: ${JSON.stringify({
  ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }],
})}\n\n`;
const anthropicEvent = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const anthropicStart = [
  anthropicEvent("message_start", {
    message: {
      ...{ id: "m", type: "message", role: "assistant", model: "main", content: [], stop_reason: null },
      usage: { input_tokens: 6, output_tokens: 0 },
    },
  }),
  anthropicEvent("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  anthropicEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hi" } }),
];

interface Row {
  readonly play?: (script: Script) => void;
  readonly act: (started: Started, script: Script) => Promise<unknown>;
  readonly key: Counted;
  readonly main?: Counted;
  readonly spare?: Counted;
  readonly claude?: Counted;
}

const rows: readonly [string, Row][] = [
  ["an answer: whole", { act: ({ ask }) => ask({ tokens: 10 }), key: [10, 10, 1, 1, 10], main: [10, 10, 1, 1, 10] }],
  [
    "an answer: a stream with its usage at the end",
    { act: ({ ask }) => ask({ tokens: 10, stream: true }), key: [10, 10, 1, 1, 10], main: [10, 10, 1, 1, 10] },
  ],
  [
    "a stream whose client leaves before any usage: the calls count, of tokens nobody knows",
    {
      play: (script) => script.add("main", begins(script, [openaiStart])),
      act: (started, script) => leaves(started, script, "main-oai"),
      key: [0, 0, 1, 1, 0],
      main: [0, 0, 1, 1, 0],
    },
  ],
  [
    "a stream whose client leaves: what was said of usage by then",
    {
      play: (script) => script.add("main", begins(script, anthropicStart)),
      act: (started, script) => leaves(started, script, "claude-eu"),
      key: [6, 6, 1, 1, 6],
      claude: [6, 6, 1, 1, 6],
    },
  ],
  [
    "a vendor that drops the connection: its target was called, and the key got no answer",
    {
      play: (script) => script.add("gpt-4o", (response) => void response.destroy()),
      act: ({ ask }) => ask(),
      key: [0, 0, 0, 1, 0],
      main: [0, 0, 1, 1, 0],
    },
  ],
  [
    "a vendor's error without usage: the call counts, and nothing else",
    {
      play: (script) => script.add("gpt-4o", fails(500)),
      act: ({ ask }) => ask(),
      key: [0, 0, 1, 1, 0],
      main: [0, 0, 1, 1, 0],
    },
  ],
  [
    "a vendor's error whose body has usage: that is used",
    {
      play: (script) => script.add("gpt-4o", fails(500, 4)),
      act: ({ ask }) => ask(),
      key: [4, 4, 1, 1, 4],
      main: [4, 4, 1, 1, 4],
    },
  ],
  [
    "a fallback: each attempt its own provider's, the key has the sum, as one request",
    {
      play: (script) => script.add("main", fails(500, 4)),
      act: ({ ask }) => ask({ config: fallback, tokens: 10 }),
      key: [14, 14, 1, 1, 14],
      main: [4, 4, 1, 1, 4],
      spare: [10, 10, 1, 1, 10],
    },
  ],
  [
    "a retry: one request of the key, one target of the provider's budget, two calls of its rate",
    {
      play: (script) => script.add("gpt-4o", fails(503, 4)),
      act: ({ ask }) =>
        ask({
          config: { provider: "@main-oai", retry: { attempts: 1, on_status_codes: [503] } },
          tokens: 10,
        }),
      key: [14, 14, 1, 1, 14],
      main: [14, 14, 1, 2, 14],
    },
  ],
  [
    "a cache hit: a request of the key, nothing of the provider",
    {
      act: async ({ ask }) => {
        const config = { provider: "@main-oai", cache: { mode: "simple" } };
        await ask({ config, tokens: 10 });
        expect((await ask({ config, tokens: 10 })).headers["x-gateway-cache-status"]).toBe("HIT");
      },
      key: [10, 10, 2, 2, 10],
      main: [10, 10, 1, 1, 10],
    },
  ],
  [
    "a denial before the call: the rate of requests was raised, nothing was used and nothing answered",
    {
      act: async ({ ask }) => expect((await ask({ config: guarded("input", "tokens"), tokens: 10 })).status).toBe(446),
      key: [0, 0, 0, 1, 0],
    },
  ],
  [
    "a denial after the call: the call was used",
    {
      act: async ({ ask }) => expect((await ask({ config: guarded("output", "Hi"), tokens: 10 })).status).toBe(446),
      key: [10, 10, 1, 1, 10],
      main: [10, 10, 1, 1, 10],
    },
  ],
  [
    "a check that asks a model: what that uses is the key's, and it has asked once",
    {
      play: (script) => script.add("judge", (response) => json(response, 200, verdict)),
      act: async ({ ask }) => {
        const judge = { "gateway.judge": { provider: "spare-oai", model: "judge", criteria: "It is polite." } };
        expect((await ask({ config: { provider: "@main-oai", input_guardrails: [judge] }, tokens: 10 })).status).toBe(
          200,
        );
      },
      key: [14, 14, 1, 1, 14],
      main: [10, 10, 1, 1, 10],
      spare: [4, 4, 1, 1, 4],
    },
  ],
  [
    "a shadow copy: it costs the key what it uses and its provider a call; the key has asked once",
    {
      act: ({ ask }) => ask({ config: { strategy: { mode: "shadow" }, targets: both }, tokens: 10 }),
      key: [20, 20, 1, 1, 20],
      main: [10, 10, 1, 1, 10],
      spare: [10, 10, 1, 1, 10],
    },
  ],
  [
    "a hedge: the winner is used; the loser was called, and what it used nobody knows",
    {
      play: (script) => script.add("main", (response) => void script.held.push(response)),
      act: ({ ask }) => ask({ config: { strategy: { mode: "hedge", delay: 0 }, targets: both }, tokens: 10 }),
      key: [10, 10, 1, 1, 10],
      main: [0, 0, 1, 1, 0],
      spare: [10, 10, 1, 1, 10],
    },
  ],
  [
    "a refusal of a budget that is used up: nothing",
    {
      act: async ({ ask }) => {
        const usage = [
          {
            ...{ credit_limit: 0, type: "cost" as const, alert_threshold: null, periodic_reset: null },
            ...{ periodic_reset_days: null, next_usage_reset_at: null },
          },
        ];
        expect((await ask({ who: { limits: { usage } } })).status).toBe(412);
      },
      key: nothing,
    },
  ],
  [
    "what is only read: nothing",
    {
      play: (script) => script.add("/models", (response) => json(response, 200, { object: "list", data: [] })),
      act: (started) => reads(started, "/v1/models"),
      key: nothing,
    },
  ],
  [
    "a raw call that tells what a job of the provider has used: that, and the call as any other",
    {
      play: (script) => script.add("/batches/b1", (response) => json(response, 200, job)),
      act: (started) => reads(started, "/v1/proxy/batches/b1"),
      key: [10, 10, 1, 1, 10],
      main: [10, 10, 1, 1, 10],
    },
  ],
];

const verdict = {
  ...{ id: "v", object: "chat.completion", created: 1, model: "judge", usage: usage(4) },
  choices: [
    {
      ...{ index: 0, finish_reason: "stop" },
      message: { role: "assistant", content: JSON.stringify({ pass: true, score: 1, reason: "It is." }) },
    },
  ],
};
const job = {
  ...{ id: "b1", object: "batch", status: "completed", model: "main" },
  ...{ request_counts: { total: 1, completed: 1, failed: 0 } },
  usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
};

function reads({ gateway }: Started, path: string): Promise<void> {
  const said = JSON.stringify({ organisation: testOrganisation, workspace: "w", id: "K1" });
  const headers = { "x-test-principal": said, "x-gateway-provider": "@main-oai" };
  return new Promise((resolve) => {
    get(`${gateway.url}${path}`, { headers }, (response) => response.resume().on("end", resolve));
  });
}

it.each(rows.flatMap(([what, row]) => (["soft", "hard"] as const).map((how) => [what, how, row] as const)))(
  "%s (%s)",
  async (_, enforcement, { play, act, key, main = nothing, spare = nothing, claude = nothing }) => {
    const script = new Script();
    play?.(script);
    const started = await start(enforcement, script);
    await act(started, script);
    const { counted } = started;
    await expect
      .poll(() => ({
        key: counted("k", "K1"),
        main: counted("p", "main-oai"),
        spare: counted("p", "spare-oai"),
        claude: counted("p", "claude-eu"),
      }))
      .toEqual({ key, main, spare, claude });
  },
);
