import { describe, expect, it } from "vitest";
import type { Ask } from "../../test/support/limited.ts";
import { at, limitedBy, R1, rateOf } from "./testing.ts";

const R2 = {
  conditions: [{ key: "model", value: "@anthropic/*" }],
  group_by: [{ key: "provider" }],
  type: "tokens",
  unit: "rpm",
  value: 1000,
};
const claude = { provider: "claude-eu", model: "claude-a" };

describe("decisions (policies.md section 12.3)", () => {
  it.each<[string, object, readonly [time: string, ask: Ask, status: number, headers?: object][]]>([
    [
      "1 to 5: requests a minute",
      { R1 },
      [
        ["10:00:05", {}, 200, { "x-gateway-ratelimit-limit": "2", "x-gateway-ratelimit-remaining": "1" }],
        ["10:00:20", {}, 200, { "x-gateway-ratelimit-remaining": "0", "x-gateway-ratelimit-reset": "40" }],
        [
          "10:00:40",
          {},
          429,
          { "retry-after": "20", "retry-after-ms": "20000", "x-gateway-limit-source": "policy_rate_limit_exceeded" },
        ],
        ["10:00:41", { who: { id: "K2" } }, 200],
        ["10:00:41", { who: { id: "K9" } }, 200],
        ["10:01:00", {}, 200, { "x-gateway-ratelimit-remaining": "1" }],
      ],
    ],
    [
      "6 to 9: tokens a minute",
      { R2 },
      [
        ["10:00:02", { ...claude, tokens: 900 }, 200],
        ["10:00:30", { ...claude, tokens: 600 }, 200],
        ["10:00:50", claude, 429, { "retry-after": "10" }],
        ["10:00:50", { model: "gpt-4o" }, 200],
        ["10:01:00", claude, 200],
      ],
    ],
    [
      "27: what one limit refuses another one does not count",
      { R1 },
      [
        ["10:00:00", {}, 200],
        ["10:00:01", { who: { limits: { level: "workspace", subject: "ws", rate: [rateOf(0)] } } }, 429],
        ["10:00:02", {}, 200],
        ["10:00:03", {}, 429],
      ],
    ],
    ["30: nothing at all", {}, [["10:00:00", { who: { limits: { rate: [rateOf(0)] } } }, 429]]],
    [
      "windows of every length",
      {},
      [
        ["10:00:00", { who: { limits: { rate: [rateOf(1, "requests", "rps")] } } }, 200],
        ["10:00:00.5", { who: { limits: { rate: [rateOf(1, "requests", "rps")] } } }, 429, { "retry-after": "1" }],
        ["10:00:01", { who: { limits: { rate: [rateOf(1, "requests", "rps")] } } }, 200],
        ["10:00:01", { who: { limits: { rate: [rateOf(1, "requests", "rph")] } } }, 200],
        ["10:59:00", { who: { limits: { rate: [rateOf(1, "requests", "rph")] } } }, 429, { "retry-after": "60" }],
        ["10:59:00", { who: { limits: { rate: [rateOf(1, "requests", "rpd")] } } }, 200],
        ["23:59:00", { who: { limits: { rate: [rateOf(1, "requests", "rpd")] } } }, 429, { "retry-after": "60" }],
        ["23:59:00", { who: { limits: { rate: [rateOf(1, "requests", "rpw")] } } }, 200],
        // Until Monday.
        ["23:59:00", { who: { limits: { rate: [rateOf(1, "requests", "rpw")] } } }, 429, { "retry-after": "345660" }],
      ],
    ],
    [
      "a stream counts as a whole answer does",
      { R2: { ...R2, conditions: [{ key: "model", value: "@openai/*" }] } },
      [
        ["10:00:00", { stream: true, tokens: 1000 }, 200],
        ["10:00:01", { stream: true }, 429],
      ],
    ],
    [
      "a key's own rates come before those of policies",
      { R1: { ...R1, value: 0 } },
      [
        [
          "10:00:00",
          { who: { limits: { rate: [rateOf(0)] } } },
          429,
          { "x-gateway-limit-source": "api_key_rate_limit_exceeded" },
        ],
      ],
    ],
    [
      "raw calls are no way around a policy about models",
      { R3: { ...R1, conditions: [{ key: "model", value: "@openai/gpt-4o" }], value: 1 } },
      [
        ["10:00:00", { path: "/v1/proxy/anything" }, 200],
        ["10:00:01", { path: "/v1/proxy/anything" }, 429],
      ],
    ],
  ])("%s", async (_, policies, steps) => {
    const { ask, clock } = await limitedBy(policies, {}, { proxy: {} });
    for (const [time, asked, status, headers = {}] of steps) {
      clock.now = at(time);
      const answered = await ask(asked);
      expect([time, answered.status, answered.text]).toEqual([time, status, expect.any(String)]);
      expect(answered.headers).toMatchObject(headers);
    }
  });

  it("names the limit in the body", async () => {
    const { ask, clock } = await limitedBy({ R1: { ...R1, value: 0 } });
    clock.now = at("10:00:40");
    const { text } = await ask();
    const message = "Gateway Error: rate limit exceeded for policy Two a minute (0 requests per minute).";
    expect(JSON.parse(text)).toEqual({
      status: "failure",
      message,
      error: {
        message,
        type: "rate_limit_exceeded",
        param: null,
        code: "rate_limit_exceeded",
        details: {
          reason: "policy_rate_limit_exceeded",
          level: "policy",
          subject: "Two a minute",
          policy_id: "R1",
          value_key: "api_key:K1",
          limit_type: "requests",
          unit: "rpm",
          limit: 0,
          current: 0,
          resets_at: "2026-09-02T10:01:00.000Z",
        },
      },
    });
  });

  it("is an error in the format of Messages, in one piece though a stream was asked for", async () => {
    const { ask, clock } = await limitedBy({ R1: { ...R1, value: 0 } });
    clock.now = at("10:00:40");
    const answered = await ask({ provider: "claude-eu", path: "/v1/messages", stream: true, body: { max_tokens: 9 } });
    expect(answered.status).toBe(429);
    expect(answered.headers["content-type"]).toContain("application/json");
    const error = { type: "rate_limit_exceeded", details: { reason: "policy_rate_limit_exceeded" } };
    expect(answered.json()).toMatchObject({ type: "error", status: "failure", error });
  });

  it("28: an answer of the cache counts as a request, and uses no tokens", async () => {
    const { ask, clock, upstream } = await limitedBy(
      { R1, R2: { ...R2, conditions: R1.conditions, group_by: R1.group_by } },
      {},
      {
        "cache-memory": {},
        cache: {},
      },
    );
    clock.now = at("10:00:00");
    const config = { provider: "@main-oai", cache: { mode: "simple" } };
    expect((await ask({ config, tokens: 900 })).status).toBe(200);
    const hit = await ask({ config, tokens: 900 });
    expect([hit.status, hit.headers["x-gateway-cache-status"], upstream.received.length]).toEqual([200, "HIT", 1]);
    expect((await ask({ config, tokens: 900 })).status).toBe(429);
  });
});

describe("tokens in flight", () => {
  const tokens = { who: { limits: { rate: [rateOf(100, "tokens")] } } };

  it("hold the room they are expected to take, until they are known", async () => {
    const { ask, clock, release, waiting } = await limitedBy();
    clock.now = at("10:00:00");
    const first = ask({
      ...tokens,
      tokens: 10,
      say: { held: true },
      body: { max_tokens: 200 },
    });
    while (waiting.length === 0) await new Promise(setImmediate);
    expect((await ask(tokens)).status).toBe(429);
    release();
    expect((await first).status).toBe(200);
    expect((await ask(tokens)).status).toBe(200);
  });

  const greedy = { provider: "@main-oai", override_params: { max_tokens: 200 } };
  const modest = { provider: "@spare-oai", override_params: { max_tokens: 2 } };
  const beside = (...targets: object[]) => ({ strategy: { mode: "hedge", delay: 0 }, targets });
  it.each([
    ["alone", greedy, 1],
    ["beside one who is asked for less", beside(greedy, modest), 2],
    ["beside one who was asked for less before", beside(modest, greedy), 2],
  ])("are as many as a target is asked for, where a config says so: %s", async (_, config, calls) => {
    const { ask, clock, release, waiting } = await limitedBy({}, {}, { "strategy-hedge": {} });
    clock.now = at("10:00:00");
    const first = ask({ ...tokens, config, tokens: 10, say: { held: true }, body: { max_tokens: 1 } });
    while (waiting.length < calls) await new Promise(setImmediate);
    expect((await ask(tokens)).status).toBe(429);
    release();
    expect((await first).status).toBe(200);
    expect((await ask(tokens)).status).toBe(200);
  });

  it("count in the window in which their answer ends", async () => {
    const { ask, clock, release, waiting } = await limitedBy();
    clock.now = at("10:00:59");
    const first = ask({ ...tokens, tokens: 100, say: { held: true } });
    while (waiting.length === 0) await new Promise(setImmediate);
    clock.now = at("10:01:01");
    release();
    expect((await first).status).toBe(200);
    expect((await ask(tokens)).status).toBe(429);
  });
});

describe("without the store", () => {
  it("34: this process counts by itself, and the windows begin anew afterwards", async () => {
    const { ask, clock, gateway } = await limitedBy({ R1 });
    clock.now = at("10:00:00");
    await ask();
    clock.storeIsDown = true;
    const statuses = async (times: number) => {
      const all: number[] = [];
      for (let i = 0; i < times; i++) all.push((await ask()).status);
      return all;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    clock.storeIsDown = false;
    expect(await statuses(2)).toEqual([200, 429]);
    expect(gateway.log.lines.map(({ message }) => message)).toContain(
      "the store of the counters cannot be asked: this process counts by itself",
    );
  });

  it("35: what has a limit is refused, where that is chosen", async () => {
    const { ask, clock } = await limitedBy({ R1 }, { onStoreError: "deny" });
    clock.storeIsDown = true;
    const { status, headers, text } = await ask();
    expect([status, headers["retry-after"], JSON.parse(text).error.code]).toEqual([
      503,
      "5",
      "limit_store_unavailable",
    ]);
    expect((await ask({ who: { id: "K9" } })).status).toBe(200);
  });

  it.each<["local" | "deny", object, number]>([
    ["local", {}, 200],
    ["local", { on_store_error: "deny" }, 503],
    ["deny", { on_store_error: "local" }, 200],
    ["deny", { on_store_error: null }, 503],
  ])("with %s a policy says itself what is done: %j", async (onStoreError, more, expected) => {
    const { ask, clock } = await limitedBy({ R1: { ...R1, ...more } }, { onStoreError });
    clock.now = at("10:00:00");
    expect((await ask()).status).toBe(200);
    clock.storeIsDown = true;
    expect((await ask()).status).toBe(expected);
    clock.storeIsDown = false;
    expect((await ask()).status).toBe(200);
  });

  it("one limit that is to be refused then is enough, and no upstream is asked", async () => {
    const { ask, clock, upstream } = await limitedBy({
      R1,
      strict: { ...R1, conditions: [{ key: "metadata.team", value: "claims" }], on_store_error: "deny" },
    });
    clock.storeIsDown = true;
    const answered = await ask({ metadata: { team: "claims" } });
    expect([answered.status, answered.headers["retry-after"], upstream.received.length]).toEqual([503, "5", 0]);
    expect((await ask({ metadata: { team: "sales" } })).status).toBe(200);
  });
});

describe("windows that slide", () => {
  it("look back as long as they are", async () => {
    const { ask, clock } = await limitedBy({}, { window: "sliding" });
    const who = { limits: { rate: [rateOf(4)] } };
    const statuses = async (time: string, times: number) => {
      clock.now = at(time);
      const all: number[] = [];
      for (let i = 0; i < times; i++) all.push((await ask({ who })).status);
      return all;
    };
    expect(await statuses("10:00:50", 5)).toEqual([200, 200, 200, 200, 429]);
    // Half of the minute before still counts.
    expect(await statuses("10:01:30", 3)).toEqual([200, 200, 429]);
    expect(await statuses("10:03:00", 5)).toEqual([200, 200, 200, 200, 429]);
  });

  it("refuse until there is room again, and not until their window ends", async () => {
    const { ask, clock } = await limitedBy({}, { window: "sliding" });
    const who = { limits: { rate: [rateOf(4)] } };
    const refused = async (time: string) => {
      clock.now = at(time);
      const { status, headers } = await ask({ who });
      return [status, headers["retry-after"], headers["x-gateway-ratelimit-reset"]];
    };
    clock.now = at("10:00:50");
    for (let i = 0; i < 4; i++) expect((await ask({ who })).status).toBe(200);
    // At 10:01:00 all four of them still count, and from a moment later on three.
    expect(await refused("10:00:50")).toEqual([429, "11", "11"]);
    clock.now = at("10:01:30");
    for (let i = 0; i < 2; i++) expect((await ask({ who })).status).toBe(200);
    expect(await refused("10:01:30")).toEqual([429, "1", "1"]);
    clock.now = at("10:01:31");
    expect((await ask({ who })).status).toBe(200);
    // Three of this minute, and one of the four of the last one until a quarter before its end.
    expect(await refused("10:01:32")).toEqual([429, "14", "14"]);
    clock.now = at("10:01:46");
    expect((await ask({ who })).status).toBe(200);
  });
});
