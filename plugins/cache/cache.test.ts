import { describe, expect, it } from "vitest";
import { type Asked, keys, question, simple, startCached } from "./testing.ts";

const withoutId = (text: string): object => ({ ...JSON.parse(text), id: undefined });
const cached = { provider: "@openai", cache: { mode: "simple", max_age: 300 } };

describe("a config with a cache", () => {
  it("is answered by the vendor once: MISS, then HIT with the same body and no call", async () => {
    const { ask, calls } = await startCached();
    const first = await ask(question, { config: cached });
    const second = await ask(question, { config: cached });
    expect([first.cache, second.cache]).toEqual(["MISS", "HIT"]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(calls()).toBe(1);
  });

  it("has no header of the vendor in a hit, no retry, and names the leaf and the provider", async () => {
    const { ask } = await startCached();
    expect((await ask()).headers.get("x-vendor-header")).toBe("yes");
    const { headers } = await ask();
    expect(headers.get("x-vendor-header")).toBeNull();
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("x-gateway-retry-attempt-count")).toBe("0");
    expect(headers.get("x-gateway-last-used-option-index")).toBe("config");
    expect(headers.get("x-gateway-provider")).toBe("openai");
  });

  it("keeps what only the vendor's format knows", async () => {
    const { ask } = await startCached();
    const lenient = { headers: { "x-gateway-strict-open-ai-compliance": "false" } };
    await ask(question, lenient);
    expect(JSON.parse((await ask(question, lenient)).text)).toMatchObject({ system_fingerprint: "fp_vendor" });
  });

  it("does not tell whether the answer came whole or as a stream", async () => {
    const { ask, calls } = await startCached();
    expect((await ask()).cache).toBe("MISS");
    const replayed = await ask({ ...question, stream: true });
    expect(replayed.cache).toBe("HIT");
    expect(replayed.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(replayed.text).toMatch(/"content":"Answer 1\."/);
    expect(replayed.text).not.toContain('"choices":[]');
    expect(replayed.text).toMatch(/data: \[DONE\]\n\n$/);
    expect(calls()).toBe(1);
  });

  it("keeps streams, put together", async () => {
    const { ask, calls } = await startCached();
    const streamed = await ask({ ...question, stream: true });
    expect(streamed.cache).toBe("MISS");
    expect(streamed.text).toMatch(/data: \[DONE\]\n\n$/);
    const whole = await ask();
    expect(whole.cache).toBe("HIT");
    expect(JSON.parse(whole.text)).toMatchObject({
      choices: [{ message: { content: "Answer 1." }, finish_reason: "stop" }],
      usage: { total_tokens: 12 },
    });
    expect((await ask({ ...question, stream: true })).cache).toBe("HIT");
    expect(calls()).toBe(1);
  });

  it("cuts long texts in pieces of 500, and says the usage when asked", async () => {
    const { ask } = await startCached();
    const long = { ...question, model: "long" };
    await ask(long);
    const { text } = await ask({ ...long, stream: true, stream_options: { include_usage: true } });
    const pieces = [...text.matchAll(/"content":"(x+)"/g)].map(([, piece]) => piece?.length);
    expect(pieces).toEqual([500, 500, 200]);
    expect(text).toContain('"total_tokens":12');
  });

  it("replays a tool call as its name and its arguments", async () => {
    const { ask } = await startCached();
    await ask({ ...question, model: "tools" });
    const { text } = await ask({ ...question, model: "tools", stream: true });
    const deltas = [...text.matchAll(/^data: (\{.*)$/gm)].flatMap(
      ([, frame = ""]) => JSON.parse(frame).choices[0]?.delta.tool_calls ?? [],
    );
    expect(deltas).toMatchObject([
      { id: "call_1", function: { name: "look" } },
      { function: { arguments: '{"at":"clock"}' } },
    ]);
    expect(deltas).toHaveLength(2);
  });

  it.each<[string, Asked, object]>([
    ["completions", { path: "/v1/completions" }, { model: "m", prompt: "What is the time?" }],
    ["embeddings", { path: "/v1/embeddings" }, { model: "m", input: "What is the time?" }],
    [
      "messages",
      { path: "/v1/messages", config: { provider: "@anthropic", cache: "simple" } },
      { ...question, max_tokens: 9 },
    ],
    ["messages of another format", { path: "/v1/messages" }, { ...question, max_tokens: 9 }],
    [
      "chats of another format",
      { config: { provider: "@anthropic", cache: "simple" } },
      { ...question, max_tokens: 9 },
    ],
  ])("answers %s", async (_, asked, body) => {
    const { ask, calls } = await startCached();
    const first = await ask(body, asked);
    const second = await ask(body, asked);
    expect([first.status, first.cache, second.cache]).toEqual([200, "MISS", "HIT"]);
    // An id the vendor's format made is not one of another format: that is made anew.
    expect(withoutId(second.text)).toMatchObject(withoutId(first.text));
    expect(calls()).toBe(1);
  });

  it("keeps speech as the bytes it is, with their type", async () => {
    const { ask, calls, gateway } = await startCached();
    const speech = { path: "/v1/audio/speech" };
    const said = { model: "m", input: "Hello", voice: "alloy" };
    const first = await ask(said, speech);
    const second = await ask(said, speech);
    expect([first.cache, second.cache, calls()]).toEqual(["MISS", "HIT", 1]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("content-type")).toBe("audio/wav");
    const third = await fetch(`${gateway.url}${speech.path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${keys.A}`,
        "x-gateway-config": JSON.stringify(simple),
      },
      body: JSON.stringify(said),
    });
    expect(Buffer.from(await third.arrayBuffer()).toString("latin1")).toBe("sound \xe9 1");
    expect((await ask({ ...said, input: "Bye" }, speech)).cache).toBe("MISS");
  });

  it("leaves nitro mode and requests without a cache alone", async () => {
    const { ask, calls } = await startCached();
    const twice = async (asked: Asked) => [(await ask(question, asked)).cache, (await ask(question, asked)).cache];
    expect(await twice({ headers: { "x-gateway-nitro-mode": "true" } })).toEqual(["DISABLED", "DISABLED"]);
    expect(await twice({ config: { provider: "@openai" } })).toEqual(["DISABLED", "DISABLED"]);
    const refreshed = { config: { provider: "@openai" }, headers: { "x-gateway-cache-force-refresh": "true" } };
    expect(await twice(refreshed)).toEqual(["DISABLED", "DISABLED"]);
    expect(calls()).toBe(6);
  });

  it.each([
    [{ mode: "exact" }, "cache.mode"],
    ["exact", "cache.mode"],
    [{ max_age: 60 }, "cache.mode"],
    [{ mode: "simple", max_age: "300" }, "cache.max_age"],
    [7, "cache"],
  ])("may not say %j", async (cache, path) => {
    const { ask } = await startCached();
    const { status, text } = await ask(question, { config: { provider: "@openai", cache } });
    expect([status, text]).toEqual([400, expect.stringContaining(path)]);
  });
});

describe("force refresh", () => {
  const headers = { "x-gateway-cache-force-refresh": "true" };

  it("asks the vendor and replaces what is kept", async () => {
    const { ask, calls } = await startCached();
    await ask();
    const refreshed = await ask(question, { headers });
    expect([refreshed.cache, refreshed.text]).toEqual(["REFRESH", expect.stringContaining("Answer 2.")]);
    const after = await ask();
    expect([after.cache, after.text]).toEqual(["HIT", expect.stringContaining("Answer 2.")]);
    expect(calls()).toBe(2);
  });

  it.each(["false", "1", "yes", ""])("is not %j", async (value) => {
    const { ask } = await startCached();
    await ask();
    expect((await ask(question, { headers: { "x-gateway-cache-force-refresh": value } })).cache).toBe("HIT");
  });

  it("keeps the old answer when the vendor has no new one", async () => {
    const { ask } = await startCached({
      taps: `hooks.beforeRequest.tap({ name: "t", stage: Stage.limit }, (request, exchange) => {
        if (exchange.gatewayHeaders.get("cache-force-refresh")) throw new GatewayError("rate_limited", "Not now.");
        return request;
      });`,
    });
    await ask();
    const refreshed = await ask(question, { headers });
    expect([refreshed.status, refreshed.cache]).toEqual([429, "REFRESH"]);
    expect((await ask()).cache).toBe("HIT");
  });
});

describe("what is not kept", () => {
  it.each(["status-500", "status-429", "status-404"])("an answer of %s", async (model) => {
    const { ask, calls } = await startCached();
    const body = { ...question, model };
    expect([(await ask(body)).cache, (await ask(body)).cache]).toEqual(["MISS", "MISS"]);
    expect(calls()).toBe(2);
  });

  it.each(["cut", "garbled"])("a stream that is %s", async (model) => {
    const { ask, calls } = await startCached();
    const body = { ...question, model, stream: true };
    expect([(await ask(body)).cache, (await ask(body)).cache]).toEqual(["MISS", "MISS"]);
    expect(calls()).toBe(2);
  });

  it.each([246, 446])("an answer a check has found fault with: %i", async (status) => {
    const { ask, calls } = await startCached({
      taps: `hooks.afterRequest.tap({ name: "t", stage: Stage.guard }, (answer) => ({ ...answer, status: ${status} }));`,
    });
    const first = await ask();
    expect([first.status, first.cache, (await ask()).cache]).toEqual([status, "MISS", "MISS"]);
    expect(calls()).toBe(2);
  });

  it("a count of tokens (inference-api.md section 1)", async () => {
    const { ask, calls } = await startCached();
    const asked = { path: "/v1/messages/count_tokens", config: { provider: "@anthropic", cache: "simple" } };
    expect([(await ask(question, asked)).cache, (await ask(question, asked)).cache]).toEqual(["DISABLED", "DISABLED"]);
    expect(calls()).toBe(2);
  });

  it("an answer larger than the store takes", async () => {
    const { ask, calls } = await startCached({ stores: "cache-memory: { maxEntryBytes: 1000 }" });
    const long = { ...question, model: "long" };
    expect([(await ask(long)).cache, (await ask(long)).cache]).toEqual(["MISS", "MISS"]);
    expect([(await ask()).cache, (await ask()).cache]).toEqual(["MISS", "HIT"]);
    expect(calls()).toBe(3);
  });
});
