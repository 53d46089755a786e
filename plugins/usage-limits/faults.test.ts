import { describe, expect, it } from "vitest";
import type { UsageLimits } from "../../core/index.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { begun, race, startLimited, type Vendor } from "../../test/support/limited.ts";
import { supportPlugin, testOrganisation } from "../../test/support/management.ts";
import { json } from "../../test/support/upstream.ts";

const now = Date.parse("2082-09-02T10:00Z");
const hard = { enforcement: "hard" };
/** A token is a cent; a request is expected to use less than 40 for its question. */
const body = (max_tokens: number) => ({ max_tokens });

const budget = (more: Partial<UsageLimits> = {}): UsageLimits => ({
  credit_limit: 1,
  type: "cost",
  alert_threshold: null,
  periodic_reset: null,
  periodic_reset_days: null,
  next_usage_reset_at: null,
  ...more,
});
const who = { limits: { usage: [budget()] } };

async function limitedBy(options: object = {}, plugins: object = {}, vendor?: Vendor) {
  const folder = folderOfFile();
  const limited = await startLimited(
    {
      "records-file": {},
      management: {},
      organisations: {},
      "policy-records": {},
      "penny-prices": supportPlugin(folder, "penny-prices"),
      "strategy-hedge": {},
      "strategy-shadow": {},
      ...plugins,
      "usage-limits": options,
    },
    vendor,
  );
  limited.clock.now = now;
  return limited;
}

type Limited = Awaited<ReturnType<typeof limitedBy>>;

const held = async ({ waiting }: Limited, count: number) => {
  while (waiting.length < count) await new Promise(setImmediate);
};

describe("hard budgets", () => {
  it("are settled where tokens of the same request are, too", async () => {
    const { ask } = await limitedBy(hard, { "rate-limits": {} });
    const rate = [{ type: "tokens", unit: "rpd", value: 1_000_000 } as const];
    const both = { limits: { usage: [budget()], rate } };
    expect((await ask({ who: both, tokens: 100, body: body(10) })).status).toBe(200);
    expect((await ask({ who: both, body: body(10) })).status).toBe(412);
  });

  it.each([
    ["rivals", { mode: "hedge", delay: 0 }],
    ["copies", { mode: "shadow" }],
  ])("make room for %s, too", async (_, strategy) => {
    const limited = await limitedBy(hard);
    const { ask, release } = limited;
    const config = { strategy, targets: [{ provider: "@main-oai" }, { provider: "@spare-oai" }] };
    const first = ask({ who, config, say: { held: true }, body: body(20), tokens: 2 });
    await held(limited, 2);
    // Twice 20 and what the question takes are spoken for; once would leave enough.
    expect((await ask({ who, body: body(1) })).status).toBe(412);
    release();
    expect((await first).status).toBe(200);
    await expect.poll(async () => (await ask({ who, body: body(20) })).status).toBe(200);
  });

  it.each(["override_params", "default_params"])(
    "make room for what a config asks for in place of the client: %s",
    async (field) => {
      const limited = await limitedBy(hard);
      const { ask, release } = limited;
      const tokens = { limits: { usage: [budget({ type: "tokens", credit_limit: 1_000 })] } };
      const config = { provider: "@main-oai", [field]: { max_tokens: 900 } };
      const first = ask({ who: tokens, config, say: { held: true }, tokens: 2 });
      await held(limited, 1);
      expect((await ask({ who: tokens, config })).status).toBe(412);
      release();
      expect((await first).status).toBe(200);
      await expect.poll(async () => (await ask({ who: tokens, config })).status).toBe(200);
    },
  );

  it("are not given a second time by a process that counts by itself", async () => {
    const { ask, clock } = await limitedBy(hard);
    expect((await ask({ who, tokens: 60, body: body(10) })).status).toBe(200);
    clock.storeIsDown = true;
    expect((await ask({ who, body: body(30) })).status).toBe(412);
    // What is used meanwhile counts, and is told afterwards.
    expect((await ask({ who, tokens: 20, body: body(1) })).status).toBe(200);
    expect((await ask({ who, body: body(1) })).status).toBe(412);
  });

  it("are restored before room is made, when the counters were lost", async () => {
    const { ask, clock } = await limitedBy(hard);
    expect((await ask({ who, tokens: 60, body: body(10) })).status).toBe(200);
    clock.lose();
    expect((await ask({ who, body: body(30) })).status).toBe(412);
    expect((await ask({ who, body: body(1) })).status).toBe(200);
  });

  it("let through what there is room for while counters that were lost cannot be put right", async () => {
    const { ask, clock } = await limitedBy(hard);
    expect((await ask({ who, tokens: 60, body: body(10) })).status).toBe(200);
    clock.lose();
    clock.isUnreadable = true;
    expect((await ask({ who, tokens: 1, body: body(1) })).status).toBe(200);
    clock.isUnreadable = false;
    await expect.poll(async () => (await ask({ who, body: body(30) })).status).toBe(412);
  });
});

it("a rival who gets room when another has won holds none", async () => {
  const everyKey = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
  const everyProvider = { conditions: [{ key: "virtual_key", value: "*" }], group_by: [{ key: "virtual_key" }] };
  const tokens = { ...hard, type: "tokens", credit_limit: 1_000 };
  const usageLimits = { key: { ...everyKey, ...tokens }, provider: { ...everyProvider, ...tokens } };
  const { ask, clock, release, waiting } = await limitedBy({}, { "policy-records": { usageLimits } });
  let grant: undefined | ((now: unknown) => void);
  clock.late = (claims) => {
    if (!claims.some(({ key }) => key.includes("spare-oai"))) return undefined;
    return new Promise((resolve) => {
      grant = resolve;
    });
  };
  const config = {
    strategy: { mode: "hedge", delay: 0 },
    targets: [{ provider: "@main-oai" }, { provider: "@spare-oai" }],
  };
  const asked = ask({ config, body: body(500), say: { held: true } });
  await expect.poll(() => grant !== undefined && waiting.length).toBe(1);
  release();
  expect((await asked).status).toBe(200);
  clock.late = () => undefined;
  grant?.(undefined);
  await expect.poll(async () => (await ask({ provider: "spare-oai", body: body(700) })).status).toBe(200);
});

it("a rival who has lost holds no room any more, while the winner's answer is under way", async () => {
  const everyProvider = { conditions: [{ key: "virtual_key", value: "*" }], group_by: [{ key: "virtual_key" }] };
  const provider = { ...everyProvider, ...hard, type: "tokens", credit_limit: 1_000 };
  const { vendor, config, winners, losers } = race();
  const { ask } = await limitedBy({}, { "policy-records": { usageLimits: { provider } } }, vendor);
  const asked = ask({ config, body: body(500), stream: true });
  await expect.poll(() => winners.length * losers.called).toBe(1);
  const another = async (slug: string) => (await ask({ provider: slug, body: body(700) })).status;
  expect(await another("spare-oai")).toBe(412);
  for (const response of winners) begun(response);
  await expect.poll(() => another("spare-oai")).toBe(200);
  expect(await another("main-oai")).toBe(412);
  for (const response of winners) response.end("data: [DONE]\n\n");
  expect((await asked).status).toBe(200);
});

const fails = (response: Parameters<Vendor>[1]) => json(response, 500, { error: { message: "No.", type: "t" } });
const dies = (response: Parameters<Vendor>[1]) => {
  begun(response);
  setImmediate(() => response.destroy());
};
const ofProviders = ["virtual_key", { type: "tokens", credit_limit: 1_000 }] as const;
const ofWhole = ["api_key", { type: "cost", credit_limit: 13 }] as const;

it.each([
  ["failed", "its provider's", fails, ...ofProviders],
  ["failed", "the whole request's", fails, ...ofWhole],
  ["died after it had won", "its provider's", dies, ...ofProviders],
])("a rival who has %s holds no room in %s budget, while another is under way", async (_, __, ends, key, limit) => {
  const usageLimits = { one: { conditions: [{ key, value: "*" }], group_by: [{ key }], ...hard, ...limit } };
  const held: Parameters<Vendor>[1][] = [];
  const vendor: Vendor = ({ model }, response) => {
    if (model === "bad") ends(response);
    if (model === "slow") held.push(response);
    return model === "bad" || model === "slow";
  };
  const { ask } = await limitedBy({}, { "policy-records": { usageLimits }, "stream-resume": {} }, vendor);
  const config = {
    strategy: { mode: "hedge", delay: 3_600_000 },
    stream_resume: "restart",
    targets: [
      { provider: "@main-oai", override_params: { model: "bad" } },
      { provider: "@spare-oai", override_params: { model: "slow" } },
    ],
  };
  const streamed = ends === dies && { stream: true, headers: { "x-gateway-resume": "restart" } };
  const asked = ask({ config, body: body(500), ...streamed });
  await expect.poll(() => held.length).toBe(1);
  expect((await ask({ body: body(900) })).status).toBe(key === "api_key" ? 412 : 200);
  expect((await ask({ body: body(700) })).status).toBe(200);
  for (const response of held) fails(response);
  expect((await asked).status).toBe(streamed ? 200 : 500);
  expect((await ask({ body: body(900) })).status).toBe(200);
});

it("a rival who has lost was called, and counts as that while the winner's answer is under way", async () => {
  const everyProvider = { conditions: [{ key: "virtual_key", value: "*" }], group_by: [{ key: "virtual_key" }] };
  const provider = { ...everyProvider, ...hard, type: "requests", credit_limit: 2 };
  const { vendor, config, winners, losers } = race();
  const { ask } = await limitedBy({}, { "policy-records": { usageLimits: { provider } } }, vendor);
  const asked = [ask({ config, stream: true }), ask({ config, stream: true })];
  await expect.poll(() => winners.length * losers.called).toBe(4);
  for (const response of winners) begun(response);
  // Both races are run, both losers given up, and their calls were made.
  await expect.poll(() => losers.givenUp).toBe(2);
  expect((await ask({ provider: "spare-oai" })).status).toBe(412);
  const third = ask({ config, stream: true });
  for (const response of winners) response.end("data: [DONE]\n\n");
  for (const one of asked) expect((await one).status).toBe(200);
  expect((await third).status).toBe(412);
  expect((await ask({ provider: "spare-oai" })).status).toBe(412);
  expect(losers.called).toBe(2);
});

describe("soft budgets", () => {
  it("are refused where nothing with a limit is let through without the store", async () => {
    const { ask, clock } = await limitedBy({ onStoreError: "deny" });
    expect((await ask({ who })).status).toBe(200);
    clock.storeIsDown = true;
    const refused = await ask({ who });
    expect([refused.status, refused.json().error.code, refused.headers["retry-after"]]).toEqual([
      503,
      "limit_store_unavailable",
      "5",
    ]);
    expect((await ask()).status).toBe(200);
  });

  it("of one kind and several periods do not end each other's", async () => {
    const { ask } = await limitedBy();
    const two = { limits: { usage: [budget({ periodic_reset: "weekly" }), budget({ periodic_reset: "monthly" })] } };
    expect((await ask({ who: two, tokens: 100 })).status).toBe(200);
    expect((await ask({ who: two })).status).toBe(412);
  });

  it("stay used up when the length of their period is changed", async () => {
    const { ask, clock } = await limitedBy();
    const every = (periodic_reset: "weekly" | "monthly" | null) => ({
      limits: { usage: [budget({ periodic_reset })] },
    });
    await ask({ who: every("monthly"), tokens: 100 });
    const statuses: number[] = [];
    for (const cadence of ["weekly", null, "monthly"] as const)
      statuses.push((await ask({ who: every(cadence) })).status);
    expect(statuses).toEqual([412, 412, 412]);
    clock.now = Date.parse("2082-10-01T00:00Z");
    expect((await ask({ who: every("monthly") })).status).toBe(200);
  });

  it("count a denial as no request", async () => {
    const counted = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
    const usageLimits = { one: { ...counted, type: "requests", credit_limit: 1 } };
    const plugins = { "policy-records": { usageLimits }, checks: {}, guardrails: {} };
    const { ask } = await limitedBy({}, plugins);
    const guard = { "default.regexMatch": { rule: "tokens", not: true }, deny: true };
    const config = { provider: "@main-oai", input_guardrails: [guard] };
    expect((await ask({ config })).status).toBe(446);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(412);
  });

  it("go by labels, whatever they are called", async () => {
    const named = {
      conditions: [{ key: "metadata.constructor", value: "*" }],
      group_by: [{ key: "metadata.toString" }],
    };
    const usageLimits = { odd: { ...named, type: "requests", credit_limit: 1 } };
    const { ask } = await limitedBy({}, { "policy-records": { usageLimits } });
    expect((await ask()).status).toBe(200);
    const labelled = { metadata: { constructor: "a" } };
    expect([(await ask(labelled)).status, (await ask(labelled)).status]).toEqual([200, 412]);
  });
});

it("tokens of copies count by the rates the request was let in with", async () => {
  const { ask, clock } = await limitedBy({}, { "rate-limits": {} });
  const rate = [{ type: "tokens", unit: "rpd", value: 1_000 } as const];
  const config = {
    strategy: { mode: "shadow" },
    targets: [{ provider: "@main-oai" }, { provider: "@spare-oai" }],
  };
  expect((await ask({ who: { limits: { rate } }, config, tokens: 100 })).status).toBe(200);
  const key = `rate:api_key:K1:tokens:rpd@${Date.parse("2082-09-02T00:00Z")}`;
  const group = testOrganisation;
  await expect.poll(() => clock.read(group, [key])).toEqual([200n]);
});
