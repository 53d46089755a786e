import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const answer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
};

/** A gateway before two vendors, of which the first may fail; the config of the file is what a test makes of it. */
async function start(configs: object) {
  let fails = false;
  const upstream = await startUpstream(({ url }, response) =>
    fails && url.startsWith("/one")
      ? json(response, 500, { error: { message: "No.", type: "t" } })
      : json(response, 200, answer),
  );
  const text = (more: object, cacheMemory: object = {}) =>
    JSON.stringify({
      plugins: {
        "auth-open": {},
        "format-openai-chat": {},
        "strategy-fallback": {},
        "strategy-loadbalance": {},
        "circuit-breaker": {},
        "cache-memory": cacheMemory,
        cache: {},
        routing: { configs: more },
      },
      providers: {
        one: { use: "openai", apiKey: "key-of-one-0123", baseUrl: `${upstream.url}/one` },
        two: { use: "openai", apiKey: "key-of-two-0123", baseUrl: `${upstream.url}/two` },
      },
    });
  const gateway = await startTestGateway(text(configs));
  const ask = (config: string, body: object = {}) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-gateway-config": config },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], ...body }),
    });
  return {
    ask,
    called: () => upstream.received.map(({ url }) => url.split("/")[1]),
    fail: () => {
      fails = true;
    },
    async reload(more = configs, cacheMemory?: object) {
      gateway.write(text(more, cacheMemory));
      expect(await gateway.reload()).toBe(true);
    },
    health: async () => (await fetch(`${gateway.url}/v1/health/targets`)).json(),
  };
}

const both = [{ provider: "@one" }, { provider: "@two" }];

describe("a reload", () => {
  it("leaves what is cached where it is, but where it may be more or less than before", async () => {
    const { ask, reload, called } = await start({ c: { provider: "@one", cache: { mode: "simple" } } });
    const status = async () => (await ask("c")).headers.get("x-gateway-cache-status");
    expect([await status(), await status()]).toEqual(["MISS", "HIT"]);
    await reload();
    expect(await status()).toBe("HIT");
    await reload(undefined, { maxBytes: 1_000_000 });
    expect(await status()).toBe("MISS");
    expect(called()).toHaveLength(2);
  });

  it("closes no circuit, but that of a target that was changed", async () => {
    const breaks = (more: object = {}) => ({
      c: {
        strategy: { mode: "fallback" },
        cb_config: { failure_threshold: 1, cooldown_interval: 30_000 },
        targets: [{ ...both[0], ...more }, both[1]],
      },
    });
    const { ask, reload, fail, called, health } = await start(breaks());
    fail();
    await ask("c");
    await ask("c");
    expect(called()).toEqual(["one", "two", "two"]);
    await reload();
    await ask("c");
    expect(called()).toEqual(["one", "two", "two", "two"]);
    await reload(breaks({ override_params: { temperature: 0 } }));
    await ask("c");
    expect(called().slice(4)).toEqual(["one", "two"]);
    // Of the target as it was before nothing is told any more.
    expect(JSON.stringify(await health()).match(/"path"/g)).toHaveLength(2);
  });

  it("sends callers where they were sent before", async () => {
    const sticky = { enabled: true, hash_fields: ["params.user"] };
    const { ask, reload, called } = await start({ c: { strategy: { mode: "loadbalance", sticky }, targets: both } });
    const users = Array.from({ length: 12 }, (_, at) => `user-${at}`);
    for (const user of users) await ask("c", { user });
    await reload();
    for (const user of users) await ask("c", { user });
    expect(called().slice(12)).toEqual(called().slice(0, 12));
  });
});
