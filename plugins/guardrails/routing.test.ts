import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { chat, heard, startGuarded } from "./testing.ts";

const noTea = { id: "no-tea", contains: { words: ["tea"], operator: "none" } };
const digits = { id: "digits", "test.digits": {} };
const denying = { ...noTea, deny: true };
const ids = (results: readonly { readonly id: string }[] = []) => results.map(({ id }) => id);

describe("strategies", () => {
  const backup = { provider: "@deepseek", override_params: { model: "backup" } };
  const targets = (first: object) => ({ targets: [{ provider: "@openai", ...first }, backup], provider: undefined });

  it.each<[string, object, object, number, number, string | undefined]>([
    ["falls back on 446 by itself", { mode: "fallback" }, { input_guardrails: [denying] }, 200, 1, "backup"],
    ["not on 246", { mode: "fallback" }, { input_guardrails: [noTea] }, 246, 1, "m"],
    [
      "on 246 of the input, when told to",
      { mode: "fallback", on_status_codes: [246] },
      { input_guardrails: [noTea] },
      200,
      2,
      "backup",
    ],
    [
      "on 246 of the output",
      { mode: "fallback", on_status_codes: [246] },
      { output_guardrails: [noTea] },
      200,
      2,
      "backup",
    ],
    [
      "on 446 of the output",
      { mode: "fallback", on_status_codes: [446] },
      { output_guardrails: [denying] },
      200,
      2,
      "backup",
    ],
    [
      "not on 446, unless it is listed",
      { mode: "fallback", on_status_codes: [500] },
      { input_guardrails: [denying] },
      446,
      0,
      undefined,
    ],
    [
      "not on a soft denial",
      { mode: "fallback" },
      { input_guardrails: [{ ...denying, soft_deny_200: true }] },
      200,
      0,
      undefined,
    ],
  ])("fallback: %s", async (_, strategy, first, status, calls, model) => {
    const { ask, received } = await startGuarded();
    for (const stream of [false, true]) {
      const before = received.length;
      const said = await ask({ strategy, ...targets(first) }, chat("tea", { stream }));
      // A stream that has begun is only reported on, unless it is denied.
      const begun = stream && "output_guardrails" in first && JSON.stringify(strategy).includes("246");
      expect([stream, said.status, received.length - before]).toEqual([stream, status, begun ? 1 : calls]);
      if (model !== undefined && !stream) expect(said.json.model).toBe(model);
    }
  });

  it.each(["input_guardrails", "output_guardrails"])(
    "end an attempt with the status its client would get, whoever answers in the end: %s",
    async (side) => {
      const { ask, gateway } = await startGuarded({ plugins: "  access-log: { trace: true }" });
      const judged = { [side]: [noTea] };
      await ask({ strategy: { mode: "fallback", on_status_codes: [246] }, ...targets(judged) }, chat("tea"));
      await ask({ ...judged, retry: { attempts: 1 } }, chat("tea"));
      const calls = gateway.log.lines.flatMap(({ fields }) => (fields?.calls ?? []) as { status: number }[]);
      expect(calls.map(({ status }) => status)).toEqual([246, 200, 246]);
    },
  );

  it("start from the client's request at every target", async () => {
    const { ask, received } = await startGuarded();
    const config = {
      strategy: { mode: "fallback" },
      ...targets({ input_guardrails: [digits], override_params: { model: "status-500" } }),
    };
    const { json } = await ask(config, chat("call 12"));
    expect(received.map(({ body }) => JSON.parse(`${body}`).messages[0].content)).toEqual(["call #", "call 12"]);
    expect(json.hook_results).toBeUndefined();
  });

  it("retry on 246: the vendor is asked again, the input is judged once", async () => {
    const { ask, received } = await startGuarded();
    const config = {
      retry: { attempts: 2, on_status_codes: [246] },
      input_guardrails: [digits],
      output_guardrails: [noTea],
    };
    const { status, json, headers } = await ask(config, chat("tea 1"));
    expect([status, received.length, headers.get("x-gateway-retry-attempt-count")]).toEqual([246, 3, "-1"]);
    const { before_request_hooks: before, after_request_hooks: after } = json.hook_results ?? {};
    expect([ids(before), ids(after)]).toEqual([["digits"], ["no-tea"]]);
    expect(received.map(({ body }) => JSON.parse(`${body}`).messages[0].content)).toEqual(Array(3).fill("tea #"));
  });

  it.each<[string, object, number, number, string]>([
    ["failed", { input_guardrails: [noTea] }, 246, 1, "0"],
    ["and the output failed", { input_guardrails: [noTea], output_guardrails: [noTea] }, 246, 1, "0"],
    ["failed, and the output is denied", { input_guardrails: [noTea], output_guardrails: [denying] }, 446, 3, "-1"],
    ["is denied", { input_guardrails: [denying] }, 446, 0, "0"],
  ])("do not retry for what another answer would not change: the input %s", async (_, guardrails, ...expected) => {
    const { ask, received } = await startGuarded();
    const retry = { attempts: 2, on_status_codes: [246, 446] };
    for (const stream of [false, true]) {
      // What passes in a stream is only reported on.
      if (stream && "output_guardrails" in guardrails) continue;
      const before = received.length;
      const { status, headers } = await ask({ retry, ...guardrails }, chat("tea", { stream }));
      const count = headers.get("x-gateway-retry-attempt-count");
      expect([stream, status, received.length - before, count]).toEqual([stream, ...expected]);
    }
  });

  it("do not turn what a vendor refuses into something else", async () => {
    const { ask } = await startGuarded();
    const config = { input_guardrails: [noTea], output_guardrails: [denying], retry: { attempts: 0 } };
    for (const status of [400, 429, 500]) {
      const said = await ask(config, chat("tea", { model: `status-${status}` }));
      expect([said.status, said.json.error?.message]).toEqual([status, expect.stringContaining("A failure.")]);
      const { before_request_hooks: before, after_request_hooks: after } = said.json.hook_results ?? {};
      expect([before, after]).toMatchObject([[{ id: "no-tea", verdict: false, deny: false }], []]);
    }
  });

  it.each(["/v1/messages", "/v1/responses"])(
    "say of a failure on %s what the checks of the input said",
    async (path) => {
      const { ask } = await startGuarded();
      const body = { model: "status-500", max_tokens: 9, input: "tea", messages: [{ role: "user", content: "tea" }] };
      const { status, json } = await ask({ input_guardrails: [noTea], retry: { attempts: 0 } }, body, path);
      expect([status, ids(json.hook_results?.before_request_hooks)]).toEqual([500, ["no-tea"]]);
    },
  );

  it("do not say of an answer what was said of the one before it", async () => {
    const { ask, ended } = await startGuarded({ statuses: [200, 500] });
    const config = {
      retry: { attempts: 1, on_status_codes: [246] },
      input_guardrails: [digits],
      output_guardrails: [noTea],
    };
    const record = ended();
    const { status, json } = await ask(config, chat("tea 1"));
    expect(status).toBe(500);
    for (const results of [json.hook_results, await record])
      expect([ids(results?.before_request_hooks), results?.after_request_hooks]).toEqual([["digits"], []]);
  });
});

describe("the cache", () => {
  const cache = { mode: "simple" };
  const statusOf = async (said: Promise<{ headers: Headers }>) => (await said).headers.get("x-gateway-cache-status");

  it("answers with what the guardrails of the input say, and with what those of the output left", async () => {
    const { ask, received } = await startGuarded();
    const config = { cache, input_guardrails: [noTea], output_guardrails: [digits] };
    const lenient = { "x-gateway-strict-open-ai-compliance": "false" };
    const first = await ask(config, chat("tea 12"), undefined, lenient);
    const second = await ask(config, chat("tea 12"), undefined, lenient);
    expect([first.status, second.status, second.headers.get("x-gateway-cache-status")]).toEqual([246, 246, "HIT"]);
    expect(second.json).toMatchObject({ choices: [{ message: { content: "tea #" } }] });
    expect(ids(second.json.hook_results?.before_request_hooks)).toEqual(["no-tea"]);
    const streamed = await ask(config, chat("tea 12", { stream: true }), undefined, lenient);
    expect([streamed.status, heard(streamed.text), received.length]).toEqual([246, "tea #", 1]);
    expect(streamed.text).toMatch(/^data: \{"hook_results":\{"before_request_hooks"/);
  });

  it("knows an answer by the guardrails of its output, and a question by what those of the input left", async () => {
    const { ask } = await startGuarded();
    const unnamed = [{ "test.digits": {} }];
    expect(await statusOf(ask({ cache, output_guardrails: unnamed }, chat("1")))).toBe("MISS");
    expect(await statusOf(ask({ cache, output_guardrails: unnamed, name: "x" }, chat("1")))).toBe("HIT");
    expect(await statusOf(ask({ cache }, chat("1")))).toBe("MISS");
    expect(await statusOf(ask({ cache, output_guardrails: [denying] }, chat("1")))).toBe("MISS");
    expect(await statusOf(ask({ cache, input_guardrails: [digits] }, chat("1")))).toBe("MISS");
    expect(await statusOf(ask({ cache, input_guardrails: [digits] }, chat("2")))).toBe("HIT");
  });

  it.each([false, true])(
    "keeps nothing that was found fault with, nor half of a stream (streamed: %s)",
    async (stream) => {
      const { ask, received } = await startGuarded({ slow: true });
      for (const guardrail of [noTea, denying, { ...denying, soft_deny_200: true }]) {
        const before = received.length;
        const config = { cache, output_guardrails: [guardrail] };
        const body = chat("coffee and then some tea", { stream });
        await ask(config, body);
        await turn();
        expect(await statusOf(ask(config, body))).toBe("MISS");
        expect(received.length - before).toBe(2);
      }
    },
  );

  it("is not asked for what is denied", async () => {
    const { ask, received } = await startGuarded();
    expect(await statusOf(ask({ cache }, chat("tea")))).toBe("MISS");
    const denied = await ask({ cache, input_guardrails: [denying] }, chat("tea"));
    expect([denied.status, received.length]).toEqual([446, 1]);
  });
});

describe("where they apply", () => {
  it.each<[string, object, object, string[], string[]]>([
    ["those of the config", { input_guardrails: [noTea] }, {}, ["no-tea"], []],
    [
      "those of the target in place of all of that side",
      { input_guardrails: [noTea], before_request_hooks: [{ id: "b", checks: [] }] },
      { input_mutators: [digits] },
      ["digits"],
      [],
    ],
    [
      "the other side is still the config's",
      { input_guardrails: [noTea], output_guardrails: [noTea] },
      { output_guardrails: [] },
      ["no-tea"],
      [],
    ],
    [
      "in the order hooks, guardrails, mutators",
      {
        input_mutators: [digits],
        input_guardrails: [noTea],
        before_request_hooks: [{ id: "b", type: "guardrail", checks: [] }],
      },
      {},
      ["b", "no-tea", "digits"],
      [],
    ],
  ])("%s", async (_, config, target, before, after) => {
    const { ask } = await startGuarded();
    const { json } = await ask(
      { provider: undefined, strategy: { mode: "fallback" }, ...config, targets: [{ provider: "@openai", ...target }] },
      chat("hi"),
    );
    const results = json.hook_results;
    expect([ids(results?.before_request_hooks), ids(results?.after_request_hooks)]).toEqual([before, after]);
  });

  it("an unknown slug is a mistake at the target that names it", async () => {
    const { ask, received } = await startGuarded();
    const named = { provider: "@openai", input_guardrails: ["pg-none"] };
    const alone = await ask(named, chat("hi"));
    expect([alone.status, alone.json.error?.message]).toEqual([400, expect.stringContaining('"pg-none"')]);
    expect((await ask({ output_guardrails: ["pg-none"] }, chat("hi"))).status).toBe(400);
    const strategy = { mode: "fallback", on_status_codes: [400] };
    const beside = { strategy, targets: [named, { provider: "@openai" }], provider: undefined };
    expect([(await ask(beside, chat("hi"))).status, received.length]).toEqual([200, 1]);
  });

  it("nitro mode and providers that send on what comes are refused, and never go round them", async () => {
    const { ask, received } = await startGuarded();
    const headers = { "x-gateway-nitro-mode": "true" };
    for (const config of [{ input_guardrails: [noTea] }, { output_guardrails: [noTea] }]) {
      const { status, text } = await ask(config, chat("hi"), undefined, headers);
      expect([status, text]).toEqual([400, expect.stringContaining("nitro")]);
    }
    expect(received.length).toBe(0);
    expect((await ask({}, chat("hi"), undefined, headers)).status).toBe(200);
  });

  it("what is sent on unread meets only checks that need no body", async () => {
    const { ask } = await startGuarded();
    const { status, json } = await ask({ input_guardrails: [denying] }, chat("tea"), "/v1/proxy/chat/completions");
    expect([status, json.hook_results]).toEqual([200, undefined]);
  });
});
