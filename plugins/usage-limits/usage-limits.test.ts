import { describe, expect, it } from "vitest";
import type { UsageLimits } from "../../core/index.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { type Ask, startLimited } from "../../test/support/limited.ts";
import { supportPlugin } from "../../test/support/management.ts";

const U1 = {
  conditions: [{ key: "metadata._user", value: "*" }],
  group_by: [{ key: "metadata._user" }],
  type: "cost",
  credit_limit: 80,
  alert_threshold: 60,
  periodic_reset: "monthly",
};
const U3 = {
  conditions: [{ key: "metadata.plan", value: "free" }],
  group_by: [{ key: "metadata._user" }],
  type: "requests",
  credit_limit: 3,
  periodic_reset: "weekly",
};
const U4 = {
  conditions: [{ key: "virtual_key", value: "main-oai" }],
  group_by: [{ key: "virtual_key" }],
  type: "cost",
  credit_limit: 100,
  periodic_reset: "weekly",
};

/** A token is a cent. */
const dollars = (amount: number) => amount * 100;

const limitedBy = (usageLimits: object = {}, options: object = {}, plugins: object = {}) => {
  const folder = folderOfFile();
  return startLimited({
    "records-file": {},
    management: {},
    organisations: {},
    "policy-records": { usageLimits },
    "penny-prices": supportPlugin(folder, "penny-prices"),
    notifications: {},
    // Whatever the order of the file is, budgets are looked at first.
    ...plugins,
    "usage-limits": options,
  });
};

const budget = (more: Partial<UsageLimits>): UsageLimits => ({
  credit_limit: 1,
  type: "cost",
  alert_threshold: null,
  periodic_reset: null,
  periodic_reset_days: null,
  next_usage_reset_at: null,
  ...more,
});

const ana = { metadata: { _user: "ana" } };
const free = { metadata: { plan: "free" } };
/** A year that has the same days of the week as 2026, and in which no policy of the file was made. */
const at = (moment: string) => Date.parse(`2082-${moment}Z`);

type Step = readonly [moment: string, ask: Ask, status: number, headers?: object];

describe("decisions (policies.md section 12.3)", () => {
  it.each<[string, object, readonly Step[]]>([
    [
      "10 to 14, 17: a budget of money",
      { U1 },
      [
        ["09-02T10:00", { ...ana, tokens: dollars(59.5) }, 200],
        ["09-02T10:01", { ...ana, tokens: dollars(20.48) }, 200],
        ["09-02T10:02", { ...ana, tokens: dollars(2) }, 200, { "x-gateway-usage-remaining": "0.02" }],
        [
          "09-02T10:03",
          ana,
          412,
          {
            "x-gateway-limit-source": "policy_usage_limit_exceeded",
            "x-gateway-usage-limit": "80",
            "x-gateway-usage-reset": "2082-10-01T00:00:00.000Z",
          },
        ],
        ["09-02T10:04", { metadata: { _user: "ben" } }, 200],
        ["09-30T23:59:59", ana, 412],
        ["10-01T00:00", ana, 200],
      ],
    ],
    [
      "19 and 20: requests",
      { U3 },
      [
        ["09-02T10:00", free, 200],
        ["09-02T10:00", free, 200],
        ["09-02T10:00", free, 200],
        ["09-02T10:01", free, 412],
        ["09-02T10:01", {}, 200],
        ["09-07T00:00", free, 200],
      ],
    ],
    [
      "21 and 22: the budget of a key begins anew on Sunday",
      {},
      [
        ["09-05T23:58", { tokens: 100, who: { limits: { usage: [budget({ periodic_reset: "weekly" })] } } }, 200],
        [
          "09-05T23:59",
          { who: { limits: { usage: [budget({ periodic_reset: "weekly" })] } } },
          412,
          { "x-gateway-limit-source": "api_key_usage_limit_exceeded" },
        ],
        ["09-06T00:00", { who: { limits: { usage: [budget({ periodic_reset: "weekly" })] } } }, 200],
      ],
    ],
    [
      "29: what has no price uses no money, but tokens",
      { U1, tokens: { ...U1, type: "tokens", credit_limit: 5000, alert_threshold: null } },
      [
        ["09-02T10:00", { ...ana, model: "unpriced", tokens: 4999 }, 200],
        ["09-02T10:00", { ...ana, model: "unpriced", tokens: 2 }, 200],
        ["09-02T10:01", ana, 412],
      ],
    ],
    ["31: nothing at all", { U: { ...U3, credit_limit: 0 } }, [["09-02T10:00", free, 412]]],
    [
      "a stream is counted as a whole answer is",
      {},
      [
        ["09-02T10:00", { stream: true, tokens: 100, who: { limits: { usage: [budget({})] } } }, 200],
        ["09-02T10:01", { who: { limits: { usage: [budget({})] } } }, 412, { "x-gateway-usage-reset": "never" }],
      ],
    ],
    [
      "a raised limit lets through at once, one that is still used up does not",
      {},
      [
        ["09-02T10:00", { tokens: 200, who: { limits: { usage: [budget({ credit_limit: 1 })] } } }, 200],
        ["09-02T10:01", { who: { limits: { usage: [budget({ credit_limit: 2 })] } } }, 412],
        ["09-02T10:02", { who: { limits: { usage: [budget({ credit_limit: 3 })] } } }, 200],
      ],
    ],
    [
      "a key that was reset by hand begins anew",
      {},
      [
        ["09-02T10:00", { tokens: 200, who: { limits: { usage: [budget({})] } } }, 200],
        ["09-02T10:01", { who: { limits: { usage: [budget({})] } } }, 412],
        ["09-02T10:02", { who: { limits: { usage: [budget({})], resetAt: "2082-09-02T10:01:30.000Z" } } }, 200],
      ],
    ],
  ])("%s", async (_, policies, steps) => {
    const { ask, clock } = await limitedBy(policies);
    for (const [moment, asked, status, headers = {}] of steps) {
      clock.now = at(moment);
      const answered = await ask(asked);
      expect([moment, answered.status, answered.text]).toEqual([moment, status, expect.any(String)]);
      expect(answered.headers).toMatchObject(headers);
    }
  });

  it("23 and 24: a provider that is used up is fallen back from on 412", async () => {
    const { ask, clock } = await limitedBy({ U4 });
    clock.now = at("09-02T10:00");
    expect((await ask({ tokens: dollars(100) })).status).toBe(200);
    const config = {
      strategy: { mode: "fallback", on_status_codes: [412] },
      targets: [{ provider: "@main-oai" }, { provider: "@spare-oai" }],
    };
    const answered = await ask({ config });
    expect([answered.status, answered.headers["x-gateway-last-used-option-index"]]).toEqual([200, "config.targets[1]"]);
    const { status, text } = await ask();
    expect([status, JSON.parse(text).error.details.reason]).toEqual([412, "policy_usage_limit_exceeded"]);
    // 25: what is refused at admission goes nowhere.
    const who = { limits: { level: "workspace" as const, usage: [budget({})] } };
    await ask({ provider: "spare-oai", tokens: 100, who });
    expect((await ask({ config, who })).status).toBe(412);
  });

  it("a response tells of the tightest budget, whether of the whole request or of its target", async () => {
    const { ask, clock } = await limitedBy({ U4: { ...U4, type: "tokens", credit_limit: 1070 } });
    clock.now = at("09-02T10:00");
    const who = { limits: { usage: [budget({ type: "tokens", credit_limit: 1000 })] } };
    await ask({ who, tokens: 998 });
    const left = async (of: Ask) => (await ask(of)).headers["x-gateway-usage-remaining"];
    expect([await left({ who }), await left({})]).toEqual(["2", "72"]);
  });

  it("26: budgets are looked at before rates, and a refusal moves no counter", async () => {
    const { ask, clock } = await limitedBy(
      { U1: { ...U1, credit_limit: 0, alert_threshold: null } },
      {},
      { "rate-limits": {} },
    );
    clock.now = at("09-02T10:00");
    const who = { limits: { rate: [{ type: "requests", unit: "rpm", value: 1 } as const] } };
    const refused = await ask({ ...ana, who });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([412, undefined]);
    expect((await ask({ who })).status).toBe(200);
    expect((await ask({ ...ana, who })).status).toBe(412);
    expect((await ask({ who })).status).toBe(429);
  });

  it("names the budget in the body", async () => {
    const { ask, clock } = await limitedBy({ U1 });
    clock.now = at("09-02T10:00");
    await ask({ ...ana, tokens: dollars(81.5) });
    const { text } = await ask(ana);
    expect(JSON.parse(text).error).toMatchObject({
      message:
        "Gateway Error: usage limit reached for policy U1 (80 USD, monthly). Resets at 2082-10-01T00:00:00.000Z.",
      type: "usage_limit_exceeded",
      code: "budget_exhausted",
      details: { limit: 80, current: 81.5, limit_type: "cost", value_key: "metadata._user:ana" },
    });
  });

  it("10 to 12: alerts are told once in each period, the threshold first", async () => {
    const { ask, clock, gateway } = await limitedBy({ U1 });
    const told = () =>
      gateway.log.lines.flatMap(({ fields }) =>
        "event" in fields && /^limit/.test(`${fields.event}`) ? [fields.event] : [],
      );
    const used = async (moment: string, amount: number) => {
      clock.now = at(moment);
      await ask({ ...ana, tokens: dollars(amount) });
    };
    await used("09-02T10:00", 59.5);
    await used("09-02T10:01", 1);
    await expect.poll(told).toEqual(["limit.threshold_crossed"]);
    await used("09-02T10:02", 1);
    await used("09-02T10:03", 20);
    await expect.poll(told).toEqual(["limit.threshold_crossed", "limit.exhausted"]);
    await used("10-01T10:03", 90);
    await expect
      .poll(told)
      .toEqual(["limit.threshold_crossed", "limit.exhausted", "limit.threshold_crossed", "limit.exhausted"]);
  });
});

describe("hard budgets", () => {
  const hard = { enforcement: "hard" };
  const who = { limits: { usage: [budget({ credit_limit: 1 })] } };
  /** Expects 4 tokens of each request at most: the body is about 100 bytes. */
  const body = { max_tokens: 10 };

  it("make room for what a request may cost before it is sent", async () => {
    const { ask, clock, release, waiting } = await limitedBy({}, hard);
    clock.now = at("09-02T10:00");
    const first = ask({ who, tokens: 10, say: { held: true }, body: { max_tokens: 70 } });
    while (waiting.length === 0) await new Promise(setImmediate);
    // Nothing is spent yet, but most of it is spoken for.
    const second = await ask({ who, body });
    expect([second.status, JSON.parse(second.text).error.details.reason]).toEqual([
      412,
      "api_key_usage_limit_exceeded",
    ]);
    release();
    expect((await first).status).toBe(200);
    expect((await ask({ who, body })).status).toBe(200);
  });

  it("let nothing through that may cost more than is left", async () => {
    const { ask, clock, upstream } = await limitedBy({}, hard);
    clock.now = at("09-02T10:00");
    expect((await ask({ who, body: { max_tokens: 100 } })).status).toBe(412);
    expect(upstream.received).toHaveLength(0);
  });

  it.each<[string, object, number, RegExp, object]>([
    [
      "nothing is used of the money",
      { type: "cost", credit_limit: 1 },
      0,
      /^Gateway Error: this request is expected to use [\d.]+ USD, more than the 1 USD left of the usage limit for policy P1 \(1 USD\)\. It is not reset by itself\.$/,
      { limit: 1, current: 0 },
    ],
    [
      "some of the tokens are used",
      { type: "tokens", credit_limit: 100 },
      60,
      /^Gateway Error: this request is expected to use \d+ tokens, more than the 40 tokens left of the usage limit for policy P1 \(100 tokens\)\./,
      { limit: 100, current: 60 },
    ],
    [
      "all of the tokens are used",
      { type: "tokens", credit_limit: 60 },
      60,
      /^Gateway Error: usage limit reached for policy P1 \(60 tokens\)\./,
      { limit: 60, current: 60 },
    ],
  ])("say that it is the request that is too large, where %s", async (_, terms, tokens, message, details) => {
    const everybody = { conditions: [{ key: "api_key", value: "*" }], group_by: [{ key: "api_key" }] };
    const { ask, clock } = await limitedBy({ P1: { ...everybody, ...hard, ...terms } });
    clock.now = at("09-02T10:00");
    const id = "K1";
    if (tokens > 0) expect((await ask({ who: { id }, tokens, body: { max_tokens: 5 } })).status).toBe(200);
    const { status, text } = await ask({ who: { id }, body: { max_tokens: 1_000 } });
    const { error } = JSON.parse(text);
    expect([status, error]).toMatchObject([412, { code: "budget_exhausted", details }]);
    expect(error.message).toMatch(message);
    const isTooLarge = !message.source.includes("reached");
    expect(error.details.expected !== undefined && error.details.expected > 0).toBe(isTooLarge);
  });

  it("count requests exactly, however many come at once", async () => {
    const { ask, clock } = await limitedBy({ U3: { ...U3, ...hard, credit_limit: 10 } });
    clock.now = at("09-02T10:00");
    const all = await Promise.all(Array.from({ length: 25 }, () => ask(free)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it("are never overspent, by whole answers and streams together", async () => {
    const { ask, clock } = await limitedBy({}, hard);
    clock.now = at("09-02T10:00");
    const asked = Array.from({ length: 30 }, (_, at) =>
      ask({ who, tokens: 8, stream: at % 2 === 0, body: { max_tokens: 8 } }),
    );
    const let_through = (await Promise.all(asked)).filter(({ status }) => status === 200).length;
    expect(let_through * 0.08).toBeLessThanOrEqual(1);
    expect(let_through).toBeGreaterThan(0);
  });
});

describe("what is kept", () => {
  it("is there after a restart, and what was reset by hand begins anew", async () => {
    const { ask, clock, gateway } = await limitedBy({ U3 });
    clock.now = at("09-02T10:00");
    for (let i = 0; i < 3; i++) expect((await ask(free)).status).toBe(200);
    expect((await ask(free)).status).toBe(412);
    await gateway.reload();
    expect((await ask(free)).status).toBe(412);
  });
});

describe("without the store of the counters", () => {
  it.each<["local" | "deny", object, number]>([
    ["local", {}, 200],
    ["local", { on_store_error: "deny" }, 503],
    ["deny", {}, 503],
    ["deny", { on_store_error: "local" }, 200],
    ["local", { enforcement: "hard", on_store_error: "deny" }, 503],
    ["deny", { enforcement: "hard", on_store_error: "local" }, 200],
  ])("with %s a policy says itself what is done: %j", async (onStoreError, more, expected) => {
    const { ask, clock, upstream } = await limitedBy({ U3: { ...U3, ...more } }, { onStoreError });
    clock.now = at("09-02T10:00");
    expect((await ask(free)).status).toBe(200);
    clock.storeIsDown = true;
    const answered = await ask(free);
    expect([answered.status, upstream.received.length]).toEqual([expected, expected === 200 ? 2 : 1]);
    if (expected === 503) expect(answered.json().error.code).toBe("limit_store_unavailable");
    // What has no budget is let through in any case.
    expect((await ask()).status).toBe(200);
    clock.storeIsDown = false;
    expect((await ask(free)).status).toBe(200);
  });

  it("what is used up stays so, and what is used meanwhile counts", async () => {
    const { ask, clock } = await limitedBy({ U3 });
    clock.now = at("09-02T10:00");
    await ask(free);
    clock.storeIsDown = true;
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await ask(free)).status);
    expect(statuses).toEqual([200, 200, 412]);
    clock.storeIsDown = false;
    expect((await ask(free)).status).toBe(412);
  });
});
