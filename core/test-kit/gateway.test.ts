import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineCheck } from "../check-kit/index.ts";
import { temporaryFolder } from "../cli/testing.ts";
import { definePlugin } from "../define-plugin.ts";
import { Stage } from "../hooks.ts";
import type { PluginContext } from "../plugin.ts";
import { bearer, defineProvider } from "../provider-kit/index.ts";
import { startGateway, type TestGatewayInput } from "./index.ts";

const completion = (content: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

const piece = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});

const acme = defineProvider({
  name: "acme",
  summary: "Speaks the format most do.",
  baseUrl: "https://api.acme.example/v1",
  authenticate: ({ apiKey }) => apiKey && bearer(apiKey),
  operations: { chat: "openai-chat" },
});

const plugins = { "auth-open": {}, routing: { default: "acme" }, "format-openai-chat": {} };
const providers = { acme: { apiKey: "acme-key", baseUrl: "${VENDOR}/v1" } };
const question = (more: object = {}) => ({ model: "m", messages: [{ role: "user", content: "Hi" }], ...more });
const chat = "/v1/chat/completions";

const own = (setup: (context: PluginContext) => void) =>
  definePlugin({ name: "own", summary: "Does what a test says.", options: z.strictObject({}), setup });

async function started<Upstream extends string = never>(input: TestGatewayInput<Upstream>) {
  const gateway = await startGateway(input);
  onTestFinished(() => gateway.close());
  return gateway;
}

const beforeVendor = (answers: NonNullable<TestGatewayInput<"VENDOR">["upstreams"]>["VENDOR"]) =>
  started({ config: { plugins, providers }, providers: [acme], upstreams: { VENDOR: answers } });

describe("an upstream", () => {
  it("is asked what the gateway asks, and remembers it", async () => {
    const { fetch, upstreams } = await beforeVendor({ json: completion("Hello") });
    const answer = await fetch(chat, { json: question() });
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: "Hello" } }] });
    expect(upstreams.VENDOR.calls).toMatchObject([
      { method: "POST", url: "/v1/chat/completions", headers: { authorization: "Bearer acme-key" }, json: question() },
    ]);
  });

  it("answers from a list, and says when that is at its end", async () => {
    const { fetch } = await beforeVendor([{ status: 429, json: { error: { message: "Later." } } }]);
    expect((await fetch(chat, { json: question() })).status).toBe(429);
    const late = await fetch(chat, { json: question() });
    expect([late.status, await late.text()]).toEqual([
      500,
      expect.stringContaining("this is call 2 (POST /v1/chat/completions), and the test has 1 answers"),
    ]);
  });

  it("answers from a function, which may change while the gateway runs", async () => {
    const { fetch, upstreams } = await beforeVendor(({ headers }, at) => ({
      json: completion(`${at} ${headers.authorization}`),
    }));
    await fetch(chat, { json: question() });
    expect(await (await fetch(chat, { json: question() })).text()).toContain("1 Bearer acme-key");
    upstreams.VENDOR.answer(async () => {
      throw new Error("nobody is to ask");
    });
    expect(upstreams.VENDOR.calls).toEqual([]);
    expect(await (await fetch(chat, { json: question() })).text()).toContain(
      "The upstream of the test: nobody is to ask",
    );
  });

  it("streams events, and breaks off where it is told to", async () => {
    const events = [piece({ role: "assistant", content: "Hel" }), piece({ content: "lo" }, "stop"), "[DONE]"];
    const { fetch, upstreams, settled } = await beforeVendor({ events });
    expect(await (await fetch(chat, { json: question({ stream: true }) })).text()).toMatch(/Hel.*lo.*\[DONE\]/s);
    upstreams.VENDOR.answer({ events: events.slice(0, 1), cut: true });
    const broken = await (await fetch(chat, { json: question({ stream: true }) })).text();
    expect(broken).toContain('"error"');
    expect(broken).not.toContain("[DONE]");
    expect(await settled()).toMatchObject([{ ending: "complete" }, { ending: "truncated" }]);
  });
});

describe("what is over", () => {
  it("is there once it is settled, as taps on cost have left it", async () => {
    let settle = () => {};
    const plugin = own(({ hooks }) => {
      hooks.cost.tapPromise({ name: "own", stage: Stage.settle }, async (exchange) => {
        await new Promise<void>((done) => {
          settle = done;
        });
        exchange.metadata = { counted: "yes" };
      });
    });
    const { fetch, exchanges, settled } = await started({
      config: { plugins: { ...plugins, own: {} }, providers },
      plugins: [plugin],
      providers: [acme],
      upstreams: { VENDOR: { json: completion("Hello") } },
    });
    expect(await settled()).toEqual([]);
    await (await fetch(chat, { json: question() })).text();
    expect(exchanges).toEqual([]);
    const over = settled();
    settle();
    expect(await over).toMatchObject([
      { ending: "complete", status: 200, usage: { inputTokens: 3, outputTokens: 2 }, metadata: { counted: "yes" } },
    ]);
  });

  it("may be waited for where nobody has an answer to read: a client that leaves", async () => {
    const gateway = await beforeVendor(() => new Promise(() => {}));
    const leaving = new AbortController();
    const asked = gateway.fetch(chat, { json: question(), signal: leaving.signal });
    const call = await gateway.upstreams.VENDOR.call();
    const over = gateway.exchange(({ ending }) => ending === "client-gone");
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await call.left;
    expect(await over).toMatchObject({ status: 499 });
  });

  it("is not waited for when everything closes", async () => {
    const gateway = await beforeVendor([]);
    const never = expect(gateway.exchange()).rejects.toThrow(
      "The exchange that was waited for did not come before everything was closed; 0 did.",
    );
    await gateway.close();
    await never;
  });
});

describe("a config", () => {
  it("may be a text, with plugins at paths and variables", async () => {
    const source = `
      export default {
        kind: "plugin", name: "hello", summary: "Says hello.",
        options: { safeParseAsync: async (data) => ({ success: true, data }) },
        setup: ({ endpoint }, { to }) =>
          endpoint({ type: "hello", method: "GET", path: "/v1/hello", serve: () => ({ status: 200, text: to }) }),
      };`;
    const { fetch } = await started({
      config: "plugins: { auth-open: {}, hello: { use: ./hello.mjs, to: '${WHO}' } }\nproviders: {}\n",
      variables: { WHO: "Ada" },
      folder: temporaryFolder({ "hello.mjs": source }),
    });
    expect(await (await fetch("/v1/hello")).text()).toBe("Ada");
  });

  it("is checked as that of a start: every mistake, with its place", async () => {
    const start = startGateway({ config: { plugins: { ...plugins, own: { model: 1 } } }, plugins: [own(() => {})] });
    await expect(start).rejects.toThrow(/test\.yaml:\d+:\d+ plugins\.own: unknown option "model"/);
  });

  it("is read anew, and the old one stays where it cannot be used", async () => {
    const gateway = await started({ config: { plugins, providers: { acme: null } }, providers: [acme] });
    const ask = async () => (await gateway.fetch(chat, { json: question({ model: "simulator/m" }) })).status;
    await expect(gateway.reload({ plugins: { rooting: {} } })).rejects.toThrow('did you mean "routing"?');
    expect(await ask()).toBe(200);
    await gateway.reload({ plugins: { "auth-open": {} } });
    expect(await ask()).toBe(404);
    expect(await gateway.settled()).toHaveLength(2);
  });

  it("names what is given: a plugin that nobody loads would be tested by nobody", async () => {
    const start = startGateway({ config: { plugins, providers: {} }, plugins: [own(() => {})], providers: [acme] });
    await expect(start).rejects.toThrow("Given, but not named in the config: own, acme.");
  });

  it("is not given what is no module, nor two of one name", async () => {
    const plugin = own(() => {});
    await expect(startGateway({ config: {}, plugins: [plugin, plugin] })).rejects.toThrow(
      'Two plugins that are given are called "own".',
    );
    await expect(startGateway({ config: {}, plugins: [{ default: plugin } as never] })).rejects.toThrow(
      "plugins[0] is not a plugin: give what the module exports as its default.",
    );
  });

  it("names a check that is given by its id, in lower case with a hyphen", async () => {
    const check = defineCheck({
      id: "team.isShort",
      summary: "Passes short texts.",
      parameters: z.object({}),
      run: ({ text }) => ({ verdict: text.length < 5 }),
    });
    const routed = {
      configs: { short: { provider: "simulator", input_guardrails: [{ "team.isShort": {}, deny: true }] } },
    };
    const { fetch } = await started({
      config: { plugins: { ...plugins, routing: routed, checks: {}, guardrails: {}, "team-isshort": {} } },
      plugins: [check],
    });
    const headers = { "x-gateway-config": "short" };
    expect((await fetch(chat, { json: question(), headers })).status).toBe(200);
    const long = { ...question(), messages: [{ role: "user", content: "Hello there" }] };
    expect((await fetch(chat, { json: long, headers })).status).toBe(446);
  });
});

it("keeps what is logged, and asks for paths only", async () => {
  const { fetch, log } = await started({
    config: { plugins: { "auth-open": {}, own: {} } },
    plugins: [own((context) => context.log.info("set up", { by: "own" }))],
  });
  expect(log.lines).toContainEqual({ level: "info", message: "set up", fields: { by: "own" } });
  expect(() => fetch("v1/models")).toThrow('"v1/models" is not a path of the gateway');
});
