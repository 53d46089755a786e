import { describe, expect, it } from "vitest";
import { eventually } from "../../test/support/calm.ts";
import { keys, oddStream, question, simple, startCached } from "./testing.ts";

describe("the place of the cache", () => {
  it("is behind the guards: a denial has no cache status and no lookup", async () => {
    const { ask, calls } = await startCached({
      taps: `hooks.beforeRequest.tap({ name: "t", stage: Stage.guard }, (request, exchange) =>
        exchange.headers.deny ? { kind: "answer", status: 446, body: { error: { message: "Denied." } } } : request);`,
    });
    await ask();
    const denied = await ask(question, { headers: { deny: "yes" } });
    expect([denied.status, denied.cache]).toEqual([446, null]);
    expect(calls()).toBe(1);
  });

  it("is before the limits: what is kept is answered when nothing more may be asked", async () => {
    const { ask } = await startCached({
      taps: `hooks.beforeRequest.tap({ name: "t", stage: Stage.limit }, (request, exchange) => {
        if (exchange.headers.spent) throw new GatewayError("budget_exhausted", "Nothing left.");
        return request;
      });`,
    });
    await ask();
    const spent = { headers: { spent: "yes" } };
    expect(await ask(question, spent)).toMatchObject({ status: 200, cache: "HIT" });
    expect(await ask({ ...question, model: "n" }, spent)).toMatchObject({ status: 412, cache: "MISS" });
  });

  it("keeps what taps made of the answer, and does not show them a hit", async () => {
    const { ask } = await startCached({
      taps: `let seen = 0;
      hooks.afterRequest.tap({ name: "t", stage: Stage.guard }, (answer) => ({ ...answer, response: { ...answer.response, id: "seen-" + ++seen } }));`,
    });
    expect((await ask()).text).toContain("seen-1");
    expect(await ask()).toMatchObject({ cache: "HIT", text: expect.stringContaining("seen-1") });
  });

  it("keeps streams that end with what checks found", async () => {
    const { ask } = await startCached({ stores: "cache-memory: {}\n  guardrails: {}\n  checks: {}" });
    const check = { id: "no-tea", contains: { words: ["tea"], operator: "none" } };
    const config = { ...simple, strict_open_ai_compliance: false, input_guardrails: [check] };
    const streamed = { ...question, stream: true };
    const first = await ask(streamed, { config });
    expect(first).toMatchObject({ cache: "MISS", text: expect.stringContaining("hook_results") });
    expect(await ask(streamed, { config })).toMatchObject({ status: 200, cache: "HIT" });
  });

  it("does not keep a stream with a frame nobody understood, put together for checks or not", async () => {
    const { ask } = await startCached({ stores: "cache-memory: {}\n  guardrails: {}\n  checks: {}" });
    const check = { id: "short", deny: true, wordCount: { minWords: 1, maxWords: 99 } };
    const garbled = { ...question, model: "garbled", stream: true };
    for (const config of [simple, { ...simple, output_guardrails: [check] }])
      for (let time = 0; time < 2; time++)
        expect(await ask(garbled, { config })).toMatchObject({ status: 200, cache: "MISS" });
  });

  it("keeps answers apart by what checks make of them, and not by checks nobody waits for", async () => {
    const { ask, calls } = await startCached({ stores: "cache-memory: {}\n  guardrails: {}\n  checks: {}" });
    const asked = async (more: object) => (await ask(question, { config: { ...simple, ...more } })).cache;
    const redact = { regexReplace: { rule: "a", redactText: "b" } };
    expect(await asked({})).toBe("MISS");
    for (const told of [{ async: true }, { async: true, id: "told", on_fail: { feedback: { value: -1 } } }])
      expect(await asked({ output_guardrails: [{ ...redact, ...told }] })).toBe("HIT");
    expect(await asked({ output_guardrails: [redact] })).toBe("MISS");
    expect(await asked({ output_guardrails: [{ ...redact, id: "named" }] })).toBe("HIT");
    expect(await asked({ output_mutators: [redact] })).toBe("MISS");
    expect(calls()).toBe(3);
  });

  it("sees the request as taps left it", async () => {
    const { ask, calls } = await startCached({
      taps: `hooks.beforeRequest.tap({ name: "t", stage: Stage.guard }, (request) =>
        withBody(request, { ...request.body, messages: [{ role: "user", content: [{ type: "text", text: "Redacted." }] }] }));`,
    });
    expect((await ask()).cache).toBe("MISS");
    const other = { ...question, messages: [{ role: "user", content: "My name is Bond." }] };
    expect([(await ask(other)).cache, (await ask({ ...other, temperature: 0 })).cache]).toEqual(["HIT", "MISS"]);
    expect(calls()).toBe(2);
  });
});

describe("leaves", () => {
  const fallback = (first: object, second: object) => ({
    cache: "simple",
    strategy: { mode: "fallback" },
    targets: [first, second],
  });

  it("have their own entries, and the last one's status is told", async () => {
    const { ask, calls } = await startCached();
    const failing = { provider: "@openai", override_params: { model: "status-500" } };
    const config = fallback(failing, { provider: "@other" });
    expect(await ask(question, { config })).toMatchObject({ status: 200, cache: "MISS" });
    const second = await ask(question, { config });
    expect([second.cache, second.headers.get("x-gateway-last-used-option-index")]).toEqual([
      "HIT",
      "config.targets[1]",
    ]);
    expect(calls()).toBe(3);
    expect((await ask(question, { config: { provider: "@openai", cache: "simple" } })).cache).toBe("MISS");
  });

  it("may have no cache beside one that has", async () => {
    const { ask } = await startCached();
    const failing = { provider: "@openai", override_params: { model: "status-500" } };
    const one = { strategy: { mode: "fallback" }, targets: [{ ...failing, cache: "simple" }, { provider: "@other" }] };
    expect(await ask(question, { config: one })).toMatchObject({ status: 200, cache: "DISABLED" });
    expect(await ask(question, { config: one })).toMatchObject({ status: 200, cache: "DISABLED" });
  });

  it("are not told what the cache did for one before", async () => {
    const { ask, gateway } = await startCached({
      taps: `hooks.beforeRequest.tap({ name: "t", stage: Stage.guard }, (request, exchange) =>
        exchange.attempt.target.provider.slug === "other"
          ? { kind: "answer", status: 446, body: { error: { message: "Denied." } } }
          : request);`,
    });
    const denied = { provider: "@other" };
    const racing = { strategy: { mode: "hedge", delay: 60_000 }, targets: [denied, denied] };
    const failing = { provider: "@openai", override_params: { model: "status-500" } };
    for (const second of [denied, racing])
      expect(await ask(question, { config: fallback(failing, second) })).toMatchObject({ status: 446, cache: null });
    const lines = gateway.log.lines.filter(({ message }) => message === "request").map(({ fields }) => fields);
    expect(lines.map((fields) => Object.hasOwn(fields ?? {}, "cache"))).toEqual([false, false]);
  });

  it("tell and keep after retries as after the first call", async () => {
    const { ask, calls } = await startCached({
      taps: `let tries = 0;
      hooks.afterRequest.tap({ name: "t", stage: Stage.guard }, (answer) => (++tries < 3 ? { ...answer, status: 503 } : answer));`,
    });
    const config = { ...simple, retry: { attempts: 3, on_status_codes: [503] } };
    const busy = await ask(question, { config });
    expect(busy).toMatchObject({ status: 200, cache: "MISS" });
    expect(busy.headers.get("x-gateway-retry-attempt-count")).toBe("2");
    const hit = await ask(question, { config });
    expect([hit.cache, hit.headers.get("x-gateway-retry-attempt-count"), calls()]).toEqual(["HIT", "0", 3]);
  });

  it("keep the answer that the client got, where a good one is asked for again", async () => {
    const { ask } = await startCached({
      taps: `let tries = 0;
      hooks.afterRequest.tap({ name: "t", stage: Stage.guard }, (answer) => ({ ...answer, response: { ...answer.response, model: "m" + ++tries } }));`,
    });
    const config = { ...simple, retry: { attempts: 1, on_status_codes: [200] } };
    const answers = [await ask(question, { config }), await ask(question, { config })];
    expect(answers.map(({ cache, text }) => [cache, JSON.parse(text).model])).toEqual([
      ["MISS", "m2"],
      ["HIT", "m2"],
    ]);
  });

  const [first, second] = [{ provider: "@openai" }, { provider: "@other" }];

  it.each([
    ["the last try of a target", { ...first, retry: { attempts: 1, on_status_codes: [200] } }],
    ["another target", { strategy: { mode: "fallback", on_status_codes: [200] }, targets: [first, second] }],
    [
      "a race",
      {
        strategy: { mode: "fallback", on_status_codes: [200] },
        targets: [first, { strategy: { mode: "hedge", delay: 60_000 }, targets: [second, first] }],
      },
    ],
  ])("keep no answer that the client did not get, where %s failed after a good one", async (_, more) => {
    const { ask, calls } = await startCached({
      taps: `let tries = 0;
      hooks.afterRequest.tap({ name: "t", stage: Stage.guard }, (answer) => ++tries === 1 ? answer : { ...answer, status: 400 });`,
    });
    expect(await ask(question, { config: { cache: "simple", ...more } })).toMatchObject({ status: 400 });
    const before = calls();
    expect(await ask(question, { config: simple })).toMatchObject({ cache: "MISS" });
    expect(calls()).toBe(before + 1);
  });

  it("keep the stream that the client got, and not the one before it", async () => {
    const { ask } = await startCached();
    const strategy = { mode: "fallback", on_status_codes: [200] };
    const config = { cache: "simple", strategy, targets: [first, second] };
    const streamed = { ...question, stream: true };
    expect(await ask(streamed, { config })).toMatchObject({ status: 200, cache: "MISS" });
    expect(await ask(question, { config: simple })).toMatchObject({ cache: "MISS" });
    expect(await ask(question, { config: { ...simple, provider: "@other" } })).toMatchObject({ cache: "HIT" });
  });
});

describe("rivals", () => {
  it.each([false, true])(
    "find and keep what is theirs, and the winner's status is told (stream: %s)",
    async (stream) => {
      const { ask, calls, gateway } = await startCached();
      const config = {
        cache: "simple",
        strategy: { mode: "hedge", delay: 60_000 },
        targets: [{ provider: "@openai" }, { provider: "@other" }],
      };
      const first = await ask({ ...question, stream }, { config });
      const second = await ask({ ...question, stream }, { config });
      expect([first.status, first.cache, second.cache, calls()]).toEqual([200, "MISS", "HIT", 1]);
      const lines = gateway.log.lines.filter(({ message }) => message === "request");
      expect(lines.map(({ fields }) => (fields as { cache?: string }).cache)).toEqual(["MISS", "HIT"]);
    },
  );
});

describe("copies", () => {
  const race = {
    strategy: { mode: "hedge", delay: 60_000 },
    targets: [{ provider: "@openai" }, { provider: "@other" }],
  };

  it.each<[string, object]>([
    ["a call", { provider: "@openai" }],
    ["a race", race],
  ])("that are %s neither find nor keep anything", async (_, copied) => {
    const { ask, calls, gateway } = await startCached();
    const config = { cache: "simple", strategy: { mode: "shadow" }, targets: [{ provider: "@other" }, copied] };
    const records = () => gateway.log.lines.filter(({ message }) => message === "request").length;
    for (const times of [1, 2]) {
      await ask(question, { config });
      await eventually(() => expect(records()).toBe(2 * times));
    }
    expect(calls()).toBe(3);
    expect(await ask(question, { config: simple })).toMatchObject({ cache: "MISS" });
  });
});

describe("identical questions at the same time", () => {
  it.each([false, true])("are each answered, and one answer is kept (stream: %s)", async (stream) => {
    const { ask, calls } = await startCached();
    const replies = await Promise.all(Array.from({ length: 12 }, () => ask({ ...question, stream })));
    for (const { status, cache } of replies) expect([status, cache === "MISS" || cache === "HIT"]).toEqual([200, true]);
    const before = calls();
    const after = await ask();
    expect([after.cache, calls()]).toEqual(["HIT", before]);
    expect(after.text).toMatch(/Answer \d+\./);
  });
});

describe("the record of a hit", () => {
  it("says so, and that nothing was used", async () => {
    const cachedGateway = await startCached({
      taps: `hooks.cost.tap("t", (exchange) => {
        exchange.metadata = { ...exchange.metadata };
        globalThis.recorded ??= [];
        globalThis.recorded.push({ status: exchange.cacheStatus, usage: exchange.usage, given: exchange.attempts.at(-1).outcome.given });
      });`,
    });
    const recorded: object[] = [];
    Object.assign(globalThis, { recorded });
    await cachedGateway.ask();
    await cachedGateway.ask();
    await cachedGateway.ask({ ...question, stream: true });
    await cachedGateway.ask(question, { config: { provider: "@openai" } });
    expect(recorded).toEqual([
      { status: "MISS", usage: expect.objectContaining({ outputTokens: 7 }), given: undefined },
      { status: "HIT", usage: undefined, given: true },
      { status: "HIT", usage: undefined, given: true },
      { status: undefined, usage: expect.anything(), given: undefined },
    ]);
  });
});

describe("credentials", () => {
  it("are in no key and no entry", async () => {
    const seen: string[] = [];
    Object.assign(globalThis, { seenByStore: seen });
    const { ask } = await startCached({
      taps: `const store = service(Cache);
      const set = store.set.bind(store);
      store.set = (entry, value, ttl) => { globalThis.seenByStore.push(JSON.stringify(entry), value.toString()); set(entry, value, ttl); };`,
    });
    await ask();
    expect(seen).toHaveLength(2);
    for (const text of seen)
      for (const key of [...Object.values(keys), "vendor-key-0123"]) expect(text).not.toContain(key);
  });
});

describe("a store in trouble", () => {
  it.each([
    ["throws", "() => { throw new Error('broken'); }"],
    ["rejects", "async () => { throw new Error('broken'); }"],
    ["never answers", "() => new Promise(() => {})"],
  ])("fails no request when it %s", async (_, broken) => {
    const { ask } = await startCached({
      options: "{ deadline: 20 }",
      taps: `const store = service(Cache);
      store.get = store.set = store.delete = ${broken};`,
    });
    for (let n = 0; n < 3; n++)
      expect(await ask()).toMatchObject({ status: 200, cache: "DISABLED", text: expect.stringContaining("Answer") });
  });

  it("fails no request when it cannot be written to", async () => {
    const { ask, gateway } = await startCached({
      taps: `service(Cache).set = async () => { throw new Error("full"); };`,
    });
    expect([(await ask()).cache, (await ask()).cache]).toEqual(["MISS", "MISS"]);
    expect(gateway.log.lines.map(({ message }) => message)).toContain("an answer could not be kept");
  });

  it("may be full of what is not JSON when it is asked", async () => {
    const { ask } = await startCached({ taps: "service(Cache).get = () => Buffer.from('{');" });
    expect(await ask()).toMatchObject({ status: 200, cache: "MISS" });
  });
});

describe("a request without a cache", () => {
  const config = { provider: "@openai" };
  const plain = { headers: { "x-gateway-config": JSON.stringify(config) } };

  it("is not decoded, nor is its answer", async () => {
    const { ask, upstream } = await startCached();
    // Neither would be understood: a request without messages of any shape, an answer that is none.
    const body = { model: "odd", messages: 7 };
    const { status, text } = await ask(body, { config });
    expect([status, text]).toEqual([200, '{ "choices": 7 }']);
    expect(upstream.received.at(-1)?.body.toString()).toBe(JSON.stringify(body));
  });

  it("has its stream byte for byte", async () => {
    const { ask } = await startCached();
    const { text } = await ask({ model: "odd", messages: 7, stream: true }, { ...plain, config });
    expect(text).toBe(oddStream);
  });
});
