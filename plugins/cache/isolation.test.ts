import { describe, expect, it } from "vitest";
import { type Asked, keys, question, simple, startCached } from "./testing.ts";

const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });
const schema = (type: string) => ({
  type: "json_schema",
  json_schema: { name: "s", schema: { type: "object", properties: { a: { type } } } },
});
const withSystem = (content: string) => ({ messages: [{ role: "system", content }, ...question.messages] });
const metadata = (value: object) => ({ headers: { "x-gateway-metadata": JSON.stringify(value) } });
const header = (name: string, value: string) => ({ headers: { [name]: value } });

/** Two requests whose answers must not be mixed up: what changes in the body, and around it. */
const apart: readonly [string, object, object, Asked, Asked][] = [
  ["tenants", {}, {}, { key: keys.A }, { key: keys.B }],
  ["models", { model: "m" }, { model: "n" }, {}, {}],
  ["models of the config", {}, {}, {}, { config: { ...simple, override_params: { model: "n" } } }],
  ["tools", { tools: [tool("a")] }, { tools: [tool("b")] }, {}, {}],
  ["tools and none", {}, { tools: [tool("a")] }, {}, {}],
  ["tool choices", { tools: [tool("a")] }, { tools: [tool("a")], tool_choice: "none" }, {}, {}],
  ["system prompts", withSystem("Be kind."), withSystem("Be brief."), {}, {}],
  ["system prompts and none", {}, withSystem("Be kind."), {}, {}],
  ["schemas", { response_format: schema("string") }, { response_format: schema("number") }, {}, {}],
  ["messages", {}, { messages: [{ role: "user", content: "What is the date?" }] }, {}, {}],
  ["roles", {}, { messages: [{ role: "assistant", content: "What is the time?" }] }, {}, {}],
  ["temperatures", { temperature: 0 }, { temperature: 1 }, {}, {}],
  ["temperature 0 and none", {}, { temperature: 0 }, {}, {}],
  ["lengths", { max_tokens: 10 }, { max_tokens: 11 }, {}, {}],
  ["seeds", { seed: 1 }, { seed: 2 }, {}, {}],
  ["users", { user: "u" }, { user: "v" }, {}, {}],
  ["fields nobody knows", { vendor_switch: 1 }, { vendor_switch: 2 }, {}, {}],
  ["providers", {}, {}, {}, { config: { provider: "@other", cache: "simple" } }],
  ["addresses", {}, {}, {}, { config: { provider: "@elsewhere", cache: "simple" } }],
  [
    "formats of the vendor",
    { max_tokens: 9 },
    { max_tokens: 9 },
    {},
    { config: { provider: "@anthropic", cache: "simple" } },
  ],
  ["endpoints", { max_tokens: 9 }, { max_tokens: 9 }, {}, { path: "/v1/messages" }],
  [
    "endpoints of one vendor",
    { input: "a", prompt: "a" },
    { input: "a", prompt: "a" },
    { path: "/v1/embeddings" },
    { path: "/v1/completions" },
  ],
  ["metadata", {}, {}, metadata({ plan: "a" }), metadata({ plan: "b" })],
  ["metadata and none", {}, {}, {}, metadata({ plan: "b" })],
  ["metadata of the config", {}, {}, {}, { config: { ...simple, metadata: { a: "b" } } }],
  ["strictness", {}, {}, {}, header("x-gateway-strict-open-ai-compliance", "false")],
  ["strictness of the config", {}, {}, {}, { config: { ...simple, strict_open_ai_compliance: false } }],
  ["betas", {}, {}, header("anthropic-beta", "one"), header("anthropic-beta", "two")],
  [
    "forwarded headers",
    {},
    {},
    { headers: { "x-gateway-forward-headers": "x-region", "x-region": "a" } },
    { headers: { "x-gateway-forward-headers": "x-region", "x-region": "b" } },
  ],
  [
    "a vendor's own headers with the gateway's prefix",
    { max_tokens: 9 },
    { max_tokens: 9 },
    { ...header("x-gateway-anthropic-version", "1"), config: { provider: "@anthropic", cache: "simple" } },
    { ...header("x-gateway-anthropic-version", "2"), config: { provider: "@anthropic", cache: "simple" } },
  ],
  [
    "headers that are asked to go on with raw calls",
    {},
    {},
    { path: "/v1/proxy/tools/run", headers: { "x-gateway-forward-headers": "x-real-ip", "x-real-ip": "a" } },
    { path: "/v1/proxy/tools/run", headers: { "x-gateway-forward-headers": "x-real-ip", "x-real-ip": "b" } },
  ],
  [
    "headers the config forwards",
    {},
    {},
    { headers: { "x-region": "a" }, config: { ...simple, forward_headers: ["x-region"] } },
    { headers: { "x-region": "b" }, config: { ...simple, forward_headers: ["x-region"] } },
  ],
  ["namespaces", {}, {}, header("x-gateway-cache-namespace", "a"), header("x-gateway-cache-namespace", "b")],
  ["a namespace and none", {}, {}, {}, header("x-gateway-cache-namespace", "a")],
  [
    "tenants in the same namespace",
    {},
    {},
    { key: keys.A, ...header("x-gateway-cache-namespace", "a") },
    { key: keys.B, ...header("x-gateway-cache-namespace", "a") },
  ],
];

describe("answers are kept apart by", () => {
  it.each(apart)("%s", async (_, oneBody, otherBody, one, other) => {
    const { ask } = await startCached();
    const statuses = [
      (await ask({ ...question, ...oneBody }, one)).cache,
      (await ask({ ...question, ...otherBody }, other)).cache,
      (await ask({ ...question, ...oneBody }, one)).cache,
      (await ask({ ...question, ...otherBody }, other)).cache,
    ];
    expect(statuses).toEqual(["MISS", "MISS", "HIT", "HIT"]);
  });

  it.each([
    ["a question", question, {}],
    ["a raw call", { tool: "clock" }, { path: "/v1/proxy/tools/run" }],
  ])("the query of the host that %s goes to", async (_, body, asked) => {
    const { ask, upstream } = await startCached();
    const at = async (version: string) => {
      const config = { provider: "openai", cache: "simple", custom_host: `${upstream.url}/v1?api-version=${version}` };
      return (await ask(body, { ...asked, config })).cache;
    };
    expect([await at("1"), await at("2"), await at("1"), await at("2")]).toEqual(["MISS", "MISS", "HIT", "HIT"]);
  });
});

it("keeps no answer to a cookie that is asked to go on with a raw call", async () => {
  const { ask } = await startCached();
  const headers = { cookie: "session=1", "x-gateway-forward-headers": "cookie" };
  const tool = (more: object) => ask({ tool: "clock" }, { path: "/v1/proxy/tools/run", headers: { ...more } });
  expect([(await tool({})).cache, (await tool(headers)).cache, (await tool(headers)).cache]).not.toContain("HIT");
});

describe("answers are kept apart by headers", () => {
  it("as checks leave them, where they are sent on", async () => {
    const { ask } = await startCached({
      taps: `hooks.beforeRequest.tap({ name: "t", stage: Stage.guard }, (request, exchange) => {
        exchange.checkedHeaders = { ...exchange.headers, "x-who": exchange.headers["x-token"] };
        return request;
      });`,
    });
    const config = { ...simple, forward_headers: ["x-who"] };
    const as = async (token: string) => (await ask(question, { config, headers: { "x-token": token } })).cache;
    expect([await as("a"), await as("b"), await as("a"), await as("b")]).toEqual(["MISS", "MISS", "HIT", "HIT"]);
  });

  it("that checks of answers pass on, but for those of traces", async () => {
    const { ask } = await startCached({ stores: "cache-memory: {}\n  guardrails: {}\n  checks: {}" });
    // Nobody may be called there, which lets answers pass.
    const webhook = { webhookURL: "http://127.0.0.1:1/", forwardHeaders: ["x-role", "x-gateway-trace-id"] };
    const config = { ...simple, output_guardrails: [{ "default.webhook": webhook }] };
    let traces = 0;
    const as = async (role: string) =>
      (await ask(question, { config, headers: { "x-role": role, "x-gateway-trace-id": `${traces++}` } })).cache;
    expect([await as("a"), await as("b"), await as("a"), await as("b")]).toEqual(["MISS", "MISS", "HIT", "HIT"]);
  });
});

/** Two requests that are the same question. */
const together: readonly [string, object, object, Asked, Asked][] = [
  ["streaming", { stream: false }, { stream: true, stream_options: { include_usage: true } }, {}, {}],
  ["the way the provider is written", { model: "@openai/m" }, { model: "m" }, {}, {}],
  ["traces", {}, {}, header("x-gateway-trace-id", "a"), header("x-gateway-trace-id", "b")],
  ["clients", {}, {}, header("user-agent", "a"), header("user-agent", "b")],
  [
    "metadata in the same namespace",
    {},
    {},
    { headers: { ...metadata({ plan: "a" }).headers, "x-gateway-cache-namespace": "n" } },
    { headers: { ...metadata({ plan: "b" }).headers, "x-gateway-cache-namespace": "n" } },
  ],
  ["ages", {}, {}, { config: { ...simple, cache: { mode: "simple", max_age: 99 } } }, {}],
  ["retries", {}, {}, { config: { ...simple, retry: { attempts: 2 } } }, {}],
  [
    "defaults and their own words",
    {},
    { temperature: 1 },
    { config: { ...simple, default_params: { temperature: 1 } } },
    {},
  ],
];

describe("answers are not kept apart by", () => {
  it.each(together)("%s", async (_, oneBody, otherBody, one, other) => {
    const { ask, calls } = await startCached();
    expect((await ask({ ...question, ...oneBody }, one)).cache).toBe("MISS");
    expect((await ask({ ...question, ...otherBody }, other)).cache).toBe("HIT");
    expect(calls()).toBe(1);
  });

  it("the order of keys", async () => {
    const { ask } = await startCached();
    const { model, messages } = question;
    await ask({ model, messages, tools: [{ type: "function", function: { name: "a", description: "b" } }] });
    const reordered = { tools: [{ function: { description: "b", name: "a" }, type: "function" }], messages, model };
    expect((await ask(reordered)).cache).toBe("HIT");
  });
});

describe("nothing is kept", () => {
  it("of what is answered to a credential of the caller's", async () => {
    const { ask, calls } = await startCached();
    const forwarding = { headers: { "x-gateway-forward-headers": "x-session-token", "x-session-token": "private" } };
    expect([(await ask(question, forwarding)).cache, (await ask(question, forwarding)).cache]).toEqual([
      "DISABLED",
      "DISABLED",
    ]);
    expect(calls()).toBe(2);
  });

  it.each([{ store: true }, { background: true }, { previous_response_id: "resp_1" }, { conversation: "conv_1" }])(
    "of responses with %j",
    async (fields) => {
      const { ask } = await startCached();
      const body = { model: "m", input: "What is the time?", ...fields };
      expect((await ask(body, { path: "/v1/responses" })).cache).not.toBe("MISS");
    },
  );
});

describe("where the model stands in the URL, answers", () => {
  const body = { contents: [{ role: "user", parts: [{ text: "What is the time?" }] }] };
  const at = (place: string): Asked => ({ path: `/v1beta/models/${place}` });

  it("are kept apart by it, and shared by streams", async () => {
    const { ask, calls } = await startCached();
    const statuses = [
      (await ask(body, at("m:generateContent"))).cache,
      (await ask(body, at("n:generateContent"))).cache,
      (await ask(body, at("m:generateContent"))).cache,
      (await ask(body, at("m:streamGenerateContent?alt=sse"))).cache,
    ];
    expect(statuses).toEqual(["MISS", "MISS", "HIT", "HIT"]);
    expect(calls()).toBe(2);
  });
});
