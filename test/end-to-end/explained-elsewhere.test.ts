import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Explanation } from "../../core/cli/explain/explanation.ts";
import { explain } from "../../core/cli/explain.ts";
import { environmentOf } from "../../core/config/index.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { startTestGateway } from "../support/gateway.ts";
import { supportPlugin, testOrganisation } from "../support/management.ts";
import { describeWithRedis, type RedisServer, startRedisServer } from "../support/redis-server.ts";
import { json, startUpstream } from "../support/upstream.ts";

const usage = { alert_threshold: null, periodic_reset: null, periodic_reset_days: null, next_usage_reset_at: null };
const principal = {
  id: "K1",
  organisation: testOrganisation,
  workspace: "22222222-2222-4222-8222-222222222222",
  limits: {
    level: "api_key",
    id: "K1",
    subject: "K1",
    usage: [{ ...usage, type: "tokens", credit_limit: 100 }],
    rate: [{ type: "requests", unit: "rpw", value: 100 }],
  },
};

const configs = {
  guarded: {
    strategy: { mode: "fallback", cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } },
    targets: [{ provider: "@broken" }, { provider: "@well" }],
  },
  sticky: {
    strategy: { mode: "loadbalance", sticky: { enabled: true, hash_fields: ["metadata.user"] } },
    targets: [{ provider: "@well" }],
  },
  fast: { strategy: { mode: "least-latency", explore: 0 }, targets: [{ provider: "@well" }] },
};

const answer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 },
};

/** What `sluice explain` says, a process of its own, of a config that a gateway has served a request by. */
async function explained(plugins: object, config: keyof typeof configs = "sticky") {
  const folder = folderOfFile();
  const upstream = await startUpstream(({ url }, response) =>
    url.startsWith("/well/") ? json(response, 200, answer) : json(response, 503, { error: { message: "No." } }),
  );
  const at = (name: string) => ({ use: "openai", apiKey: "sk-0123456789", baseUrl: `${upstream.url}/${name}` });
  const text = JSON.stringify({
    plugins: {
      principal: supportPlugin(folder, "principal"),
      routing: { configs },
      "strategy-fallback": {},
      "strategy-loadbalance": {},
      "strategy-least-latency": {},
      "circuit-breaker": {},
      "format-openai-chat": {},
      "rate-limits": {},
      "usage-limits": { flushInterval: 100 },
      ...plugins,
    },
    providers: { broken: at("broken"), well: at("well") },
  });
  writeFileSync(join(folder, "gateway.json"), text);
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
  writeFileSync(join(folder, "request.json"), body);
  const headers = {
    "content-type": "application/json",
    "x-test-principal": JSON.stringify(principal),
    "x-gateway-config": config,
    "x-gateway-metadata": '{"user":"ana"}',
  };
  const gateway = await startTestGateway(text, {}, folder);
  const asked = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", headers, body });
  expect(asked.status).toBe(200);
  await asked.text();
  const header = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return async () => {
    const options = { request: join(folder, "request.json"), header };
    const told = async (json: boolean) =>
      (await explain(join(folder, "gateway.json"), { ...options, json }, { environment: environmentOf({}) })).out;
    const { decisions = [] } = JSON.parse(await told(true)) as Explanation;
    const page = await told(false);
    for (const { message } of decisions) expect(page).toContain(message);
    const known = decisions.filter(({ known }) => known !== false).map(({ message }) => message);
    return { known, unknown: decisions.filter(({ known }) => known === false).map(({ message }) => message) };
  };
}

const inMemory = "is not known here: it is in the memory of the gateway that runs";
const elsewhere = `${inMemory}; counters of a whole deployment would tell`;

it("knows nothing of circuits, of what is counted and of where callers stay, while a gateway has it in its memory", async () => {
  const circuits = await (await explained({ "counters-memory": {} }, "guarded"))();
  expect(circuits.unknown).toEqual([
    `soft budget of api_key K1 (100 tokens): what is used ${elsewhere}`,
    `rate limit of api_key K1 (100 requests per week): what is counted ${elsewhere}`,
    `whether its circuit is open ${inMemory}`,
    `whether its circuit is open ${inMemory}`,
  ]);
  expect(circuits.known.join()).not.toMatch(/circuit|counted|used/);
  const sticky = await (await explained({ "counters-memory": {} }))();
  expect(sticky.unknown).toContain(`where this caller stays ${inMemory}`);
  const fast = await (await explained({ "counters-memory": {} }, "fast"))();
  expect(fast.unknown).toContain(`was drawn by weight: which answers fastest ${inMemory}`);
  expect(fast.known).not.toContain("has not been asked for a while");
});

it("knows what is kept of budgets", async () => {
  const told = await explained({ "counters-memory": {}, "records-file": {} });
  await expect
    .poll(async () => (await told()).known, { timeout: 10_000 })
    .toContain("soft budget of api_key K1 (100 tokens): 10 used when its record was last written, lets it through");
  expect((await told()).unknown).toContain(
    `rate limit of api_key K1 (100 requests per week): what is counted ${elsewhere}`,
  );
});

describeWithRedis("over Redis", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.stop());

  const shared = () => ({ redis: { url: redis.url }, "counters-redis": {}, "cache-redis": {} });

  it("knows what is counted, and where callers stay", async () => {
    const told = await explained(shared());
    await expect
      .poll(async () => (await told()).known, { timeout: 10_000 })
      .toEqual(
        expect.arrayContaining([
          "soft budget of api_key K1 (100 tokens): 10 used, lets it through",
          "rate limit of api_key K1 (100 requests per week): 1 counted, lets it through",
          "is where this caller stays",
        ]),
      );
    expect((await told()).unknown).toEqual([]);
  });

  it("says that it cannot ask Redis", async () => {
    const told = await explained(shared());
    await redis.stop();
    const away = "is not known here: the store of the counters cannot be asked";
    expect((await told()).unknown).toEqual([
      `soft budget of api_key K1 (100 tokens): what is used ${away}`,
      `rate limit of api_key K1 (100 requests per week): what is counted ${away}`,
      `where this caller stays ${inMemory}`,
    ]);
  });
});
