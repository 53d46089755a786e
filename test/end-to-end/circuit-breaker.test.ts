import type { ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { explainRequest } from "../../core/cli/explain/explain-request.ts";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { json, startUpstream } from "../support/upstream.ts";

const team = "team-key-0123456789abcdef";
const operator = "operator-key-0123456789abcdef";
const question = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });

const answer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
};

/** Taps for requests that ask for trouble in a header. */
const trouble = `
import { definePlugin, z } from "${pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href}";
export default definePlugin({
  name: "trouble",
  summary: "Does what a test says.",
  options: z.strictObject({}),
  setup({ hooks, log }) {
    hooks.routeSelect.tapPromise("trouble", async ({ headers, signal }) => {
      if (headers["x-trouble"] !== "wait") return;
      log.info("waiting");
      await new Promise((gone) => signal.addEventListener("abort", gone));
    });
    hooks.beforeRequest.tap("trouble", (request, { headers }) => {
      if (headers["x-trouble"] === "throw") throw new Error("out of order");
      return request;
    });
  },
});
`;

const configOf = (vendor: string, more = "", ofAlpha = "") => `
plugins:
  trouble: { use: ./trouble.ts }
  auth-keys:
    keys:
      - { name: team, key: ${team} }
      - { name: operator, key: ${operator}, scopes: [completions.write, health.read] }
  routing:
    configs:
      guarded:
        strategy: { mode: fallback, cb_config: { failure_threshold: 2, cooldown_interval: 30000${more} } }
        targets: [{ provider: "@alpha"${ofAlpha} }, { provider: "@beta" }]
      hedged:
        strategy: { mode: hedge, delay: 0, cb_config: { failure_threshold: 2, cooldown_interval: 30000${more} } }
        targets: [{ provider: "@alpha" }, { provider: "@beta" }]
  strategy-fallback: {}
  strategy-hedge: {}
  proxy: {}
  bus-local: {}
  circuit-breaker: {}
  format-openai-chat: {}
providers:
  alpha: { use: openai, apiKey: alpha-key-0123456789, baseUrl: ${vendor}/alpha }
  beta: { use: openai, apiKey: beta-key-0123456789, baseUrl: ${vendor}/beta }
`;

/** A gateway before two vendors, each of which answers with its status, when the other one hangs, or not at all. */
async function start(more = "", ofAlpha = "") {
  const statuses: Record<string, number | "reset" | "hangs" | "later"> = { alpha: 200, beta: 200 };
  const late: ServerResponse[] = [];
  const upstream = await startUpstream(({ url }, response) => {
    const status = statuses[url.split("/")[1] ?? ""] ?? 404;
    if (status === "later") return void late.push(response);
    if (status === "hangs") return late.splice(0).forEach((one) => void json(one, 200, answer));
    if (status === "reset") return void response.destroy();
    json(response, status, status === 200 ? answer : { error: { message: "No.", type: "t" } });
  });
  const text = configOf(upstream.url, more, ofAlpha);
  const gateway = await startTestGateway(text, {}, temporaryFolder({ "trouble.ts": trouble }));
  const headers = (key: string) => ({ "x-gateway-api-key": key, authorization: "", "x-gateway-provider": "" });
  const ask = async (config = "guarded", timeout = "5000", given: Record<string, string> = {}) => {
    const before = upstream.received.length;
    const { status, headers: told } = await call(
      `${gateway.url}/v1/chat/completions`,
      {
        method: "POST",
        headers: {
          ...headers(operator),
          "content-type": "application/json",
          "x-gateway-config": config,
          "x-gateway-request-timeout": timeout,
          ...given,
        },
      },
      question,
    );
    return {
      status,
      used: told["x-gateway-last-used-option-index"],
      out: told["x-gateway-circuit-open"],
      called: upstream.received.slice(before).map(({ url }) => url.split("/")[1]),
    };
  };
  const health = async (key = operator) => {
    const { status, body } = await call(`${gateway.url}/v1/health/targets`, { headers: headers(key) });
    return { status, body: JSON.parse(body.toString()) as { data?: Record<string, unknown>[] } };
  };
  return { text, statuses, late, ask, health, gateway };
}

it("leaves a failing target out, says so, and shows it", async () => {
  const { statuses, ask, health } = await start();
  expect(await health()).toEqual({ status: 200, body: { object: "list", data: [] } });
  expect(await ask()).toEqual({ status: 200, used: "config.targets[0]", out: undefined, called: ["alpha"] });
  statuses.alpha = 503;
  for (let request = 0; request < 2; request++)
    expect(await ask()).toMatchObject({ called: ["alpha", "beta"], out: undefined });
  const left = { status: 200, used: "config.targets[1]", out: "config.targets[0]", called: ["beta"] };
  expect(await ask()).toEqual(left);
  const { body } = await health();
  expect(body.data).toMatchObject([
    { config: "guarded", path: "config.targets[0]", state: "open", failures: 2, successes: 1 },
    { config: "guarded", path: "config.targets[1]", state: "closed", failures: 0, successes: 3, open_until: null },
  ]);
  expect(Date.parse(`${body.data?.find(({ state }) => state === "open")?.open_until}`)).toBeGreaterThan(Date.now());
  // A cooldown may end behind the last moment that has a date.
  const cb_config = { failure_threshold: 1, cooldown_interval: Number.MAX_SAFE_INTEGER };
  const targets = [{ provider: "@alpha" }, { provider: "@beta" }];
  expect(await ask(JSON.stringify({ strategy: { mode: "fallback", cb_config }, targets }))).toMatchObject({
    status: 200,
  });
  expect((await health()).body.data).toMatchObject([{}, {}, { open_until: "+275760-09-13T00:00:00.000Z" }, {}]);
});

it.each([["reset"], ["hangs"]] as const)("counts a vendor that %s", async (way) => {
  const { statuses, ask } = await start(", failure_status_codes: [408, 500, 502, 503]");
  statuses.alpha = way;
  for (let request = 0; request < 2; request++) expect((await ask("guarded", "100")).called.at(-1)).toBe("beta");
  expect(await ask()).toMatchObject({ called: ["beta"], out: "config.targets[0]" });
});

it("does not count clients that leave", async () => {
  const { statuses, ask, health, gateway } = await start(", failure_status_codes: [408, 499, 500]");
  statuses.alpha = "hangs";
  for (let request = 0; request < 3; request++) {
    const leaving = new AbortController();
    const asked = fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      headers: { "x-gateway-api-key": operator, "content-type": "application/json", "x-gateway-config": "guarded" },
      body: question,
    });
    await expect.poll(() => gateway.generation.active).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => gateway.generation.active).toBe(0);
  }
  statuses.alpha = 200;
  expect((await ask()).called).toEqual(["alpha"]);
  expect((await health()).body.data).toMatchObject([{ failures: 0, successes: 1 }]);
});

describe("a probe is given back", () => {
  /** Both have failed and may be probed, one call each. */
  async function halfOpen(config = "guarded") {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const started = await start(", half_open_requests: 1");
    const { statuses, ask } = started;
    Object.assign(statuses, { alpha: 503, beta: 503 });
    for (let request = 0; request < 2; request++) expect((await ask(config)).called).toEqual(["alpha", "beta"]);
    vi.setSystemTime(Date.now() + 30_000);
    Object.assign(statuses, { alpha: 200, beta: 200 });
    return started;
  }

  it("where the gateway itself fails", async () => {
    const { ask } = await halfOpen();
    expect(await ask("guarded", "5000", { "x-trouble": "throw" })).toMatchObject({ status: 500, called: [] });
    expect(await ask()).toMatchObject({ called: ["alpha"], out: undefined });
  });

  it.each(["alpha", "beta"])("by %s, which has lost a hedge", async (loser) => {
    const { ask, statuses } = await halfOpen("hedged");
    Object.assign(statuses, { alpha: "later" }, { [loser]: "hangs" });
    for (let request = 0; request < 2; request++) {
      const { status, called, out } = await ask("hedged");
      expect({ status, out, called }).toEqual({ status: 200, out: undefined, called: expect.arrayContaining([loser]) });
    }
  });

  it("by a client that has left before its route was known", async () => {
    const { ask, gateway } = await halfOpen();
    const leaving = new AbortController();
    const asked = fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      headers: {
        "x-gateway-api-key": operator,
        "content-type": "application/json",
        "x-gateway-config": "guarded",
        "x-trouble": "wait",
      },
      body: question,
    });
    await expect.poll(() => gateway.log.lines.map(({ message }) => message)).toContain("waiting");
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => gateway.generation.active).toBe(0);
    expect(await ask()).toMatchObject({ called: ["alpha"], out: undefined });
  });

  it("by a body that is gone with the target before", async () => {
    const { ask, statuses, gateway } = await halfOpen();
    statuses.alpha = 503;
    const upload = await fetch(`${gateway.url}/v1/proxy/upload`, {
      method: "POST",
      headers: { "x-gateway-api-key": operator, "content-type": "audio/wav", "x-gateway-config": "guarded" },
      body: new Blob(["some sound"]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(upload.status).toBe(503);
    expect(await ask()).toMatchObject({ called: ["beta"], out: "config.targets[0]" });
  });
});

it("shows its circuits to those who may see them", async () => {
  const { health } = await start();
  const { status, body } = await health(team);
  expect(status).toBe(403);
  expect(JSON.stringify(body)).toContain("health.read");
});

it("is told by explain, which walks the same way", async () => {
  const { statuses, ask, gateway } = await start();
  const explained = async () => {
    const told = await explainRequest({
      generation: gateway.generation,
      request: {
        method: "POST",
        url: "/v1/chat/completions",
        headers: {
          "x-gateway-api-key": operator,
          "content-type": "application/json",
          "x-gateway-config": "guarded",
        },
        body: Buffer.from(question),
      },
      secrets: [],
      configuredHeaders: () => new Set(),
    });
    return told.decisions?.map(({ path, message }) => `${path} ${message}`);
  };
  statuses.alpha = 503;
  await ask();
  // Explaining is no call: it counts for nothing.
  for (let time = 0; time < 3; time++) expect(await explained()).toContain("config.targets[0] its circuit is closed");
  await ask();
  expect(await explained()).toContain("config.targets[0] is left out: its circuit is open");
});

describe("where the config is read anew, a circuit", () => {
  const saying = (option: string) => (text: string) => text.replace("apiKey: al", `${option}, apiKey: al`);

  it.each<[string, (text: string) => string, string]>([
    ["stays as it is while it says the same", (text) => text, "beta"],
    ["stays as it is when the other one is mended", (text) => text.replace(/beta-key\w*/, "other-key"), "beta"],
    ["stays as it is with other clocks", saying("clocks: { total: 9000 }"), "beta"],
    ["begins anew at another path", (text) => text.replace("/alpha", "/alpha/v2"), "alpha"],
    ["begins anew at another origin", (text) => text.replace("127.0.0.1", "localhost"), "alpha"],
    ["begins anew with another query", (text) => text.replace("/alpha", "/alpha?api-version=2"), "alpha"],
    ["begins anew with another credential", (text) => text.replace("alpha-key-0", "alpha-key-1"), "alpha"],
    ["begins anew with a key in a header", saying("headers: { k: v }"), "alpha"],
    ["begins anew with another credential at the target", (text) => text.replace("a-target-key", "b-key"), "alpha"],
    [
      "begins anew with another option of the vendor's at the target",
      (text) => text.replace("p-one", "p-two"),
      "alpha",
    ],
  ])("%s", async (_, changed, next) => {
    const { text, statuses, ask, gateway } = await start("", ", api_key: a-target-key, openai_project: p-one");
    statuses.alpha = 503;
    for (let request = 0; request < 2; request++) await ask();
    expect((await ask()).called).toEqual(["beta"]);
    gateway.write(changed(text));
    expect(await gateway.reload()).toBe(true);
    statuses.alpha = 200;
    expect((await ask()).called).toEqual([next]);
    expect(await gateway.reload()).toBe(true);
    expect((await ask()).called).toEqual([next]);
  });

  it("does not hear of calls that went to the old address", async () => {
    const { text, statuses, late, ask, health, gateway } = await start();
    statuses.alpha = 503;
    await ask();
    statuses.alpha = "later";
    const asked = ask();
    await expect.poll(() => late.length).toBe(1);
    gateway.write(text.replace("/alpha", "/alpha/v2"));
    expect(await gateway.reload()).toBe(true);
    statuses.alpha = 503;
    expect((await ask()).called).toEqual(["alpha", "beta"]);
    for (const one of late) json(one, 503, { error: { message: "No.", type: "t" } });
    expect((await asked).status).toBe(200);
    expect((await health()).body.data?.[0]).toMatchObject({ path: "config.targets[0]", state: "closed", failures: 1 });
  });
});
