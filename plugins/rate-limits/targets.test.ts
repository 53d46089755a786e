import { describe, expect, it } from "vitest";
import { begun, race, type Vendor } from "../../test/support/limited.ts";
import { json } from "../../test/support/upstream.ts";
import { at, limitedBy, R1 } from "./testing.ts";

describe("targets", () => {
  const perProvider = {
    ...R1,
    conditions: [{ key: "virtual_key", value: "*" }],
    group_by: [{ key: "virtual_key" }],
    value: 1,
  };
  const targets = (on: number[]) => ({
    strategy: { mode: "fallback", on_status_codes: on },
    targets: [{ provider: "@main-oai" }, { provider: "@spare-oai" }],
  });

  it("that are full are fallen back from, where the config falls back on 429", async () => {
    const { ask, clock } = await limitedBy({ perProvider });
    clock.now = at("10:00:00");
    const used = async (on: number[]) => {
      const { status, headers } = await ask({ config: targets(on) });
      return [status, headers["x-gateway-last-used-option-index"]];
    };
    expect(await used([429])).toEqual([200, "config.targets[0]"]);
    expect(await used([429])).toEqual([200, "config.targets[1]"]);
    expect(await used([429])).toEqual([429, "config.targets[1]"]);
    expect(await used([500])).toEqual([429, "config.targets[0]"]);
  });

  it("that are full tell of limits of ours, and not of those of the vendor that was asked before", async () => {
    const vendor: Vendor = (_, response) => {
      response.setHeader("x-ratelimit-remaining-requests", "0");
      response.setHeader("retry-after", "7");
      json(response, 429, { error: { message: "No.", type: "t" } });
      return true;
    };
    const spareOnly = { ...perProvider, conditions: [{ key: "virtual_key", value: "spare-oai" }], value: 0 };
    const { ask, clock } = await limitedBy({ spareOnly }, {}, {}, vendor);
    clock.now = at("10:00:00");
    const own = await ask({ provider: "main-oai" });
    expect([own.status, own.headers["x-ratelimit-remaining-requests"]]).toEqual([429, "0"]);
    expect(own.headers["x-gateway-limit-source"]).toBeUndefined();
    const { status, headers } = await ask({ config: targets([429]) });
    expect([status, headers["x-gateway-limit-source"]]).toEqual([429, "policy_rate_limit_exceeded"]);
    expect([headers["retry-after"], headers["x-ratelimit-remaining-requests"]]).toEqual(["60", undefined]);
  });

  it("that are full leave nothing counted of a request that is let go to none", async () => {
    const { ask, clock } = await limitedBy({ R1, perProvider });
    clock.now = at("10:00:00");
    const used = async (provider: string) => (await ask({ provider })).status;
    expect([await used("main-oai"), await used("main-oai"), await used("main-oai")]).toEqual([200, 429, 429]);
    expect([await used("spare-oai"), await used("claude-eu")]).toEqual([200, 429]);
  });

  it("are asked again without being looked at again, but each call counts", async () => {
    const { ask, clock, upstream } = await limitedBy({ perProvider: { ...perProvider, value: 3 } });
    clock.now = at("10:00:00");
    const config = {
      provider: "@main-oai",
      retry: { attempts: 2, on_status_codes: [503], use_retry_after_header: false },
    };
    const { status } = await ask({ config, say: { status: 503 } });
    expect([status, upstream.received.length]).toEqual([503, 3]);
    expect((await ask()).status).toBe(429);
  });

  it("count a retry when it is sent, and not when its request is over", async () => {
    const held: Parameters<Vendor>[1][] = [];
    let calls = 0;
    const vendor: Vendor = (_, response) => {
      calls++;
      if (calls === 1) json(response, 503, { error: { message: "No.", type: "t" } });
      if (calls === 2) held.push(response);
      return calls <= 2;
    };
    const { ask, clock } = await limitedBy({ perProvider: { ...perProvider, value: 2 } }, {}, {}, vendor);
    clock.now = at("10:00:00");
    const config = { provider: "@main-oai", retry: { attempts: 1, on_status_codes: [503] } };
    const first = ask({ config });
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(1);
    expect((await ask()).status).toBe(429);
    // What is over now was counted then: of the next minute nothing is used.
    clock.now = at("10:01:00");
    for (const response of held) json(response, 500, { error: { message: "No.", type: "t" } });
    expect((await first).status).toBe(500);
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429]);
  });

  it("beside others do not tell of more than is left of the whole request", async () => {
    const plugins = { "strategy-hedge": {} };
    const { ask, clock } = await limitedBy({ R1, perProvider: { ...perProvider, value: 3 } }, {}, plugins);
    clock.now = at("10:00:00");
    const config = { ...targets([]), strategy: { mode: "hedge", delay: 5_000 } };
    const { headers } = await ask({ config });
    expect([headers["x-gateway-ratelimit-limit"], headers["x-gateway-ratelimit-remaining"]]).toEqual(["2", "1"]);
  });

  it("that have lost to another hold no tokens any more, and were called all the same", async () => {
    const tokens = { ...perProvider, type: "tokens", value: 100 };
    const { vendor, config, winners, losers } = race();
    const { ask, clock } = await limitedBy(
      { tokens, calls: { ...perProvider, value: 2 } },
      {},
      { "strategy-hedge": {} },
      vendor,
    );
    clock.now = at("10:00:00");
    const asked = ask({ config, stream: true });
    await expect.poll(() => winners.length * losers.called).toBe(1);
    expect((await ask({ provider: "spare-oai" })).headers["x-gateway-limit-source"]).toBe("policy_rate_limit_exceeded");
    for (const response of winners) begun(response);
    await expect.poll(async () => (await ask({ provider: "spare-oai" })).status).toBe(200);
    // One of its two requests was the call that was given up.
    expect((await ask({ provider: "spare-oai" })).json().error.message).toMatch(/2 requests per minute/);
    for (const response of winners) response.end("data: [DONE]\n\n");
    expect((await asked).status).toBe(200);
  });

  it.each([
    ["were fallen back from", { mode: "fallback" }],
    ["failed beside others", { mode: "hedge", delay: 3_600_000 }],
  ])("that %s hold no tokens any more", async (_, strategy) => {
    const tokens = { ...perProvider, type: "tokens", value: 100 };
    const held: Parameters<Vendor>[1][] = [];
    const vendor: Vendor = ({ model }, response) => {
      if (model === "bad") json(response, 500, { error: { message: "No.", type: "t" } });
      if (model === "slow") held.push(response);
      return model === "bad" || model === "slow";
    };
    const { ask, clock } = await limitedBy({ tokens }, {}, { "strategy-hedge": {} }, vendor);
    clock.now = at("10:00:00");
    const config = {
      strategy,
      targets: [
        { provider: "@main-oai", override_params: { model: "bad" } },
        { provider: "@spare-oai", override_params: { model: "slow" } },
      ],
    };
    const asked = ask({ config });
    await expect.poll(() => held.length).toBe(1);
    expect((await ask({ provider: "spare-oai" })).status).toBe(429);
    expect((await ask()).status).toBe(200);
    for (const response of held) json(response, 500, { error: { message: "No.", type: "t" } });
    expect((await asked).status).toBe(500);
  });

  it("that cannot be called are no requests", async () => {
    const { ask, clock } = await limitedBy({ perProvider });
    clock.now = at("10:00:00");
    expect((await ask({ provider: "claude-eu", body: { model: undefined } })).status).toBe(400);
    await expect.poll(async () => (await ask({ provider: "claude-eu" })).status).toBe(200);
  });

  it.each([
    ["are no requests", { perProvider }],
    ["hold no tokens", { tokens: { ...perProvider, type: "tokens", value: 100 } }],
  ])("that get through when another has won %s", async (_, limits) => {
    const { ask, clock, release, waiting } = await limitedBy(limits, {}, { "strategy-hedge": {} });
    clock.now = at("10:00:00");
    let grant: undefined | ((now: unknown) => void);
    clock.late = (claims) => {
      if (!claims.some(({ key }) => key.includes("spare-oai"))) return undefined;
      return new Promise((resolve) => {
        grant = resolve;
      });
    };
    const asked = ask({ config: { ...targets([]), strategy: { mode: "hedge", delay: 0 } }, say: { held: true } });
    await expect.poll(() => grant !== undefined && waiting.length, { timeout: 20_000 }).toBe(1);
    release();
    expect((await asked).status).toBe(200);
    clock.late = () => undefined;
    grant?.(undefined);
    await expect.poll(async () => (await ask({ provider: "spare-oai" })).status).toBe(200);
  });

  it("that do what is asked by calls of their own count it once", async () => {
    const batch = { id: "msgbatch_1", type: "message_batch", processing_status: "in_progress", request_counts: {} };
    const vendor: Vendor = (asked, response) => {
      if ("requests" in asked) json(response, 200, batch);
      return "requests" in asked;
    };
    const { ask, clock } = await limitedBy({ perProvider }, {}, { "format-openai-files": {} }, vendor);
    clock.now = at("10:00:00");
    const requests = [{ custom_id: "a", params: { model: "m", max_tokens: 9, messages: [] } }];
    const begin = () => ask({ provider: "claude-eu", path: "/v1/batches", body: { messages: undefined, requests } });
    expect([(await begin()).status, (await begin()).status]).toEqual([200, 429]);
  });

  it("refuse once, and are not asked again", async () => {
    const { ask, upstream } = await limitedBy({ perProvider: { ...perProvider, value: 0 } });
    const config = { provider: "@main-oai", retry: { attempts: 3, on_status_codes: [429] } };
    expect((await ask({ config })).status).toBe(429);
    expect(upstream.received).toHaveLength(0);
  });
});

it("that each process counts for itself is said at the start, where nobody counts for all of them", async () => {
  const { gateway } = await limitedBy();
  const message = "rates are counted in this process: several processes allow several times as much";
  expect(gateway.log.lines).toContainEqual(expect.objectContaining({ level: "info", message }));
});
