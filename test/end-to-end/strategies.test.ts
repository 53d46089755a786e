import { describe, expect, it } from "vitest";
import { type Scripted, slugs, startScripted as start } from "../support/scripted.ts";

const [alpha, beta, gamma] = slugs.map((slug) => ({ provider: `@${slug}` }));
const soon = { "retry-after-ms": "1" };
const busy: Scripted = { status: 429, headers: soon };
const patient = { attempts: 2, use_retry_after_headers: true };

describe.each([
  ["whole", {}],
  ["streamed", { stream: true }],
])("a fallback, %s", (_, body) => {
  const config = { strategy: { mode: "fallback" }, targets: [alpha, beta, gamma] };

  it.each<[string, readonly Scripted[], string, string[]]>([
    ["answers from the first that can", [], "0", ["alpha"]],
    ["goes on after 503", [{ status: 503 }], "1", ["alpha", "beta"]],
    ["goes on after 429", [busy], "1", ["alpha", "beta"]],
    ["goes on after 400", [{ status: 400 }], "1", ["alpha", "beta"]],
  ])("%s", async (_, first, index, called) => {
    const { ask } = await start({ alpha: first });
    const answered = await ask(config, { body });
    expect(answered).toMatchObject({ status: 200, used: `config.targets[${index}]`, retries: "0", called });
    expect(answered.text).toContain(`from ${called.at(-1)}`);
  });

  it("goes on after a target that keeps silent, which its retries do not ask again", async () => {
    const { ask } = await start({ alpha: [{ silent: true }] });
    const targets = [{ ...alpha, request_timeout: 100, retry: { attempts: 5, on_status_codes: [408] } }, beta];
    expect(await ask({ ...config, targets }, { body })).toMatchObject({
      status: 200,
      called: ["alpha", "beta"],
      used: "config.targets[1]",
    });
  });

  it("stops at a status that is not listed, and at the last target", async () => {
    const { ask } = await start({ alpha: [{ status: 400 }, { status: 503 }], beta: [{ status: 401 }] });
    const listed = { strategy: { mode: "fallback", on_status_codes: ["503"] }, targets: [alpha, beta] };
    expect(await ask(listed, { body })).toMatchObject({ status: 400, called: ["alpha"], used: "config.targets[0]" });
    expect(await ask(listed, { body })).toMatchObject({ status: 401, called: ["alpha", "beta"] });
  });

  it("goes on from a provider nobody has", async () => {
    const { ask } = await start();
    const targets = [{ provider: "@none" }, beta];
    expect(await ask({ ...config, targets }, { body })).toMatchObject({ status: 200, called: ["beta"] });
  });
});

describe("a fallback over the simulator's faults", () => {
  const model = (name: string) => ({ provider: "@simulator", override_params: { model: name } });

  it.each(["fault-status-503", "fault-status-429", "fault-reset", "fault-silence", "fault-slow-5000"])(
    "gets past %s",
    async (fault) => {
      const { ask } = await start();
      const targets = [{ ...model(fault), request_timeout: 150 }, model("small-1")];
      for (const stream of [false, true])
        expect(await ask({ strategy: { mode: "fallback" }, targets }, { body: { stream } })).toMatchObject({
          status: 200,
          used: "config.targets[1]",
          provider: "simulator",
        });
    },
  );

  it("gets past a stream that ends before its first frame", async () => {
    const { ask } = await start();
    const targets = [model("fault-cut-after-0"), model("small-1")];
    const answered = await ask({ strategy: { mode: "fallback" }, targets }, { body: { stream: true } });
    expect(answered).toMatchObject({ status: 200, used: "config.targets[1]" });
    expect(answered.text).toContain("[DONE]");
  });
});

describe("retries", () => {
  it.each<[string, readonly Scripted[], number, string, number]>([
    ["are none where all is well", [], 200, "0", 1],
    ["are counted", [busy, busy], 200, "2", 3],
    ["end with the attempts", [busy, busy, busy], 429, "-1", 3],
    ["end where waiting is too long", [{ status: 429, headers: { "retry-after": "61" } }], 429, "-1", 1],
    ["end on what is not listed", [busy, { status: 400 }], 400, "1", 2],
    [
      "are not made for contexts too long",
      [{ status: 429, headers: soon, code: "context_length_exceeded" }],
      429,
      "0",
      1,
    ],
  ])("%s", async (_, answers, status, retries, calls) => {
    for (const stream of [false, true]) {
      const { ask } = await start({ alpha: answers });
      const answered = await ask({ ...alpha, retry: patient }, { body: { stream } });
      expect(answered).toMatchObject({ status, retries, used: "config", provider: "openai" });
      expect(answered.called).toHaveLength(calls);
    }
  });

  it("come before the next target, each with its own", async () => {
    const { ask } = await start({ alpha: [busy, busy, busy], beta: [busy] });
    const config = { retry: patient, strategy: { mode: "fallback" }, targets: [alpha, beta] };
    expect(await ask(config)).toMatchObject({
      status: 200,
      used: "config.targets[1]",
      retries: "1",
      called: ["alpha", "alpha", "alpha", "beta", "beta"],
    });
  });

  it("are understood in both spellings", async () => {
    const { ask } = await start({ alpha: [busy] });
    const retry = { maxAttempts: 1, onStatusCodes: ["429"], useRetryAfterHeader: true };
    expect(await ask({ ...alpha, retry })).toMatchObject({ status: 200, retries: "1" });
  });

  it("say the same thing again", async () => {
    const { ask, upstream } = await start({ alpha: [busy] });
    await ask({ ...alpha, retry: patient, override_params: { temperature: 0 } });
    const [first, second] = upstream.received.map(({ body }) => body.toString());
    expect(JSON.parse(first ?? "")).toMatchObject({ model: "m", temperature: 0 });
    expect(second).toBe(first);
  });

  it("are refused without a number, naming the place", async () => {
    const { ask } = await start();
    const { status, text, called } = await ask({ ...alpha, retry: { on_status_codes: [429] } });
    expect({ status, called }).toEqual({ status: 400, called: [] });
    expect(text).toContain("path: retry.attempts, message: required");
  });
});

describe("a load balancer", () => {
  const config = {
    strategy: { mode: "loadbalance" },
    targets: [{ ...alpha, weight: 0 }, beta, { ...gamma, weight: 3 }],
  };

  it("never calls what has no weight, and does not ask others after a failure", async () => {
    const failing = Array(200).fill({ status: 503 });
    const { ask } = await start({ beta: failing, gamma: failing });
    const asked = await Promise.all(Array.from({ length: 40 }, () => ask(config)));
    expect(asked.every(({ status }) => status === 503)).toBe(true);
    expect(new Set(asked.map(({ used }) => used))).toEqual(new Set(["config.targets[1]", "config.targets[2]"]));
  });

  it("keeps callers where they were", async () => {
    const strategy = { mode: "loadbalance", sticky: { enabled: true, hashFields: ["metadata.thread"] } };
    const { ask } = await start({}, { sticky: { strategy, targets: [alpha, beta, gamma] } });
    for (const config of ["sticky", { strategy, targets: [alpha, beta] }])
      for (const thread of ["a", "b", "c"]) {
        const headers = { "x-gateway-metadata": JSON.stringify({ thread }) };
        const used = new Set<unknown>();
        for (let at = 0; at < 12; at++) used.add((await ask(config, { headers })).used);
        expect(used.size).toBe(1);
      }
  });

  it("of nothing but zeros is refused when it is reached", async () => {
    const { ask } = await start();
    const targets = [{ ...alpha, weight: 0 }];
    expect(await ask({ ...config, targets })).toMatchObject({ status: 400, called: [] });
  });
});

describe("conditions", () => {
  const config = JSON.parse(`{
    "strategy": { "mode": "conditional", "default": "rest", "conditions": [
      { "query": { "metadata.plan": { "$in": ["gold", "team"] }, "params.model": "best" }, "then": "premium" },
      { "json_logic": { "some": [{ "var": "params.messages" }, { "==": [{ "var": "role" }, "system"] }] }, "then": "long" }
    ] },
    "targets": [
      { "name": "premium", "provider": "@alpha" }, { "name": "long", "provider": "@beta" },
      { "name": "rest", "provider": "@gamma" }
    ] }`);
  const plan = (name: string) => ({ "x-gateway-metadata": JSON.stringify({ plan: name }) });

  it.each([
    ["metadata and body", { body: { model: "best" }, headers: plan("gold") }, "alpha"],
    ["one of both only", { body: { model: "best" }, headers: plan("free") }, "gamma"],
    ["the messages", { body: { messages: [{ role: "system", content: "x" }] } }, "beta"],
    ["nothing", {}, "gamma"],
  ])("decide by %s", async (_, more, slug) => {
    const { ask } = await start({}, { plans: config });
    for (const by of [config, "plans"])
      expect(await ask(by, more)).toMatchObject({
        status: 200,
        called: [slug],
        used: `config.targets[${slugs.indexOf(slug)}]`,
      });
  });

  it("tell numbers and booleans of the metadata from texts", async () => {
    const { ask } = await start();
    const typed = JSON.parse(
      JSON.stringify(config).replace(
        '"metadata.plan":{"$in":["gold","team"]}',
        '"metadata.beta":true,"metadata.level":3',
      ),
    );
    const labels = (text: string) => ({ body: { model: "best" }, headers: { "x-gateway-metadata": text } });
    expect(await ask(typed, labels('{"beta":true,"level":3}'))).toMatchObject({ called: ["alpha"] });
    expect(await ask(typed, labels('{"beta":"true","level":3}'))).toMatchObject({ called: ["gamma"] });
  });

  it("end the request when they lead nowhere, whatever a fallback around them would do", async () => {
    const { ask } = await start();
    const nowhere = { ...config, strategy: { ...config.strategy, default: "none" } };
    const outer = { strategy: { mode: "fallback" }, targets: [nowhere, alpha] };
    const { status, text, called } = await ask(outer);
    expect({ status, called }).toEqual({ status: 400, called: [] });
    expect(text).toContain("none");
  });

  it("that cannot be asked stop the start when they stand in the file", async () => {
    const broken = JSON.parse(JSON.stringify(config).replace("$in", "$inn"));
    await expect(start({}, { broken })).rejects.toThrow(/broken\.strategy\.conditions\.0\.query.*\$inn/s);
  });
});

it("nested to any depth, everything works together", async () => {
  const { ask } = await start({ alpha: [busy, busy, busy], beta: [{ status: 500 }] });
  const inner = {
    strategy: { mode: "loadbalance" },
    targets: [
      { provider: "@gamma", weight: 0 },
      { strategy: { mode: "fallback" }, targets: [{ strategy: { mode: "single" }, targets: [alpha] }, beta] },
    ],
  };
  const config = { retry: patient, strategy: { mode: "fallback", on_status_codes: [500] }, targets: [inner, gamma] };
  const listed = { ...config, retry: { ...patient, on_status_codes: [429] } };
  expect(await ask(listed)).toMatchObject({
    status: 200,
    used: "config.targets[1]",
    called: ["alpha", "alpha", "alpha", "beta", "gamma"],
  });
});
