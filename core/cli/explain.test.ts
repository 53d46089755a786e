import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { environmentOf } from "../config/index.ts";
import { definePlugin, type Exchange, GatewayError, Stage } from "../index.ts";
import type { Route, Target } from "../model/route.ts";
import { defineProvider, keyHeader, secret } from "../provider-kit/index.ts";
import { loaderWith } from "../test-kit/loader-with.ts";
import type { Explanation } from "./explain/explanation.ts";
import { type ExplainOptions, explain } from "./explain.ts";
import { temporaryFolder } from "./testing.ts";

const sent: string[] = [];
const rung: string[] = [];
const neverCalled = { transport: () => ({ send: () => raiseCall() }) };
const raiseCall = (): never => {
  sent.push("a call");
  throw new Error("somebody was called");
};

const acme = defineProvider({
  name: "acme",
  summary: "Speaks the clients' own format.",
  baseUrl: "https://user:pass-of-the-url@acme.example/v1",
  options: z.strictObject({ extra: secret().exactOptional() }),
  ...neverCalled,
  operations: {
    chat: { format: "openai-chat", path: "/chat", renames: {}, rewrite: { when: [], apply: (wire) => wire } },
  },
});
const shaped = defineProvider({
  name: "shaped",
  summary: "Takes some fields only.",
  baseUrl: "https://shaped.example",
  authenticate: keyHeader("x-api-key"),
  ...neverCalled,
  operations: { chat: { format: "openai-chat", path: "/chat", drops: ["logit_bias"] } },
});
const other = defineProvider({
  name: "other",
  summary: "Speaks another format, with a key in its query, and fetches and signs.",
  baseUrl: "https://other.example",
  options: z.strictObject({ apiKey: secret() }),
  authenticate: () => raiseCall(),
  sign: () => raiseCall(),
  ...neverCalled,
  operations: {
    chat: { format: "anthropic-messages", path: ({ model }) => `/${model}/messages?beta=1&key=key-of-the-path` },
  },
});
const fetching = { ...other, name: "fetching", authenticate: () => async () => ({ authorization: "fetched" }) };
const deaf = defineProvider({
  name: "deaf",
  summary: "Does not chat.",
  baseUrl: "https://deaf.example",
  anonymous: true,
  operations: {},
});

/** Each of the named providers in turn until one is fine; the first is tried twice. */
const routeList = definePlugin({
  name: "route-list",
  summary: "Falls back through a list.",
  options: z.strictObject({ list: z.array(z.string()), endless: z.boolean().default(false) }),
  setup({ hooks, providers }, { list, endless }) {
    hooks.routeSelect.tapPromise("route-list", async (exchange) => {
      const all = await Promise.all(list.map((name) => providers.forExchange(name, exchange, false)));
      return fallback(
        all.map((provider, index) => ({
          path: `config.targets[${index}]`,
          provider,
          model: `model-${index}`,
          ...(exchange.headers["x-lost"] === "key" && { refusal: lost }),
        })),
        endless,
      );
    });
  },
});

const lost = new GatewayError("secret_unavailable", "The master key 1 is not there: give it back.");

function* fallback(targets: readonly Target[], endless: boolean): Route {
  for (;;) {
    for (const [index, target] of targets.entries()) {
      let outcome = yield target;
      if (outcome.ok) return outcome;
      if (index === 0) outcome = yield { ...target, retry: true, delayMs: 250, clocks: { total: 1_000 } };
      if (index === targets.length - 1 && !endless) return outcome;
    }
  }
}

const tapper = definePlugin({
  name: "tapper",
  summary: "Taps everything that runs later.",
  options: z.strictObject({}),
  setup({ hooks }) {
    hooks.beforeRequest.tap({ name: "tapper", stage: Stage.limit }, (request) => {
      rung.push("beforeRequest");
      return request;
    });
    hooks.streamChunk.tap("tapper", (chunks) => chunks);
    hooks.cost.tap({ name: "tapper", stage: 250 }, () => void rung.push("cost"));
  },
});
const guard = definePlugin({
  name: "guard",
  summary: "Is asked before the tapper, though it stands after it.",
  options: z.strictObject({}),
  setup({ hooks }) {
    const foresee = async (exchange: Exchange) => {
      if (!exchange.headers["x-foresee"]) return;
      exchange.routeNotes ??= [];
      exchange.routeNotes.push({ path: exchange.attempt?.target.path ?? "", message: "lets it through" });
    };
    hooks.beforeRequest.tap({ name: "guard", stage: Stage.guard, foresee }, (request) => request);
  },
});
const failing = definePlugin({
  name: "failing",
  summary: "Fails.",
  options: z.strictObject({}),
  setup({ hooks }) {
    hooks.routeSelect.tap("failing", ({ headers }) => {
      if (headers["x-fail"] === "chosen") throw new GatewayError("rate_limited", "Slow down.");
      if (headers["x-fail"] === "lost") throw lost;
      if (headers["x-fail"]) throw new TypeError("x is not a function");
      return undefined;
    });
  },
});

const keeping = defineProvider({
  name: "keeping",
  summary: "Keeps files in its own way.",
  baseUrl: "https://keeping.example",
  anonymous: true,
  operations: {},
  procedures: { retrieveFile: raiseCall },
});

const loader = loaderWith({
  plugins: [routeList, tapper, guard, failing],
  providers: [acme, shaped, other, fetching, deaf, keeping],
});
const environment = environmentOf({
  ACME_KEY: "key-of-acme-0123456789",
  SHAPED_KEY: "shapedkey",
  TEAM_KEY: "key-of-the-team-0123456789",
});

const plugins = (list: string) => `plugins:
  auth-keys: { keys: [{ name: blue, key: "\${TEAM_KEY}", metadata: { team: blue } }] }
  failing: {}
  route-list: ${list}
  format-openai-chat: {}
  format-anthropic-messages: {}
  format-openai-files: {}
  proxy: {}
  tapper: {}
  guard: {}
`;
const providers = `providers:
  acme-eu: { use: acme, apiKey: "\${ACME_KEY}", extra: hidden-extra, headers: { x-opaque: opaque-header-value, x-env: prod } }
  shaped: { apiKey: "\${SHAPED_KEY}" }
  fetching: { apiKey: "\${ACME_KEY}" }
  deaf: {}
  keeping: {}
`;
const hello = { model: "gpt", messages: [{ role: "user", content: "Hello" }], logit_bias: { 5: 1 } };
const key = "authorization: Bearer key-of-the-team-0123456789";

async function explained(list: string, body: unknown = hello, options: ExplainOptions = { header: [key] }) {
  const request = typeof body === "string" ? body : JSON.stringify(body);
  const folder = temporaryFolder({ "gateway.yaml": plugins(list) + providers, "request.json": request });
  const result = await explain(
    join(folder, "gateway.yaml"),
    { request: join(folder, "request.json"), ...options },
    { loader, environment },
  );
  for (const hidden of [
    "key-of-acme",
    "key-of-the-team",
    "shapedkey",
    "hidden-extra",
    "opaque-header",
    "pass-of-the-url",
  ])
    expect(result.out + result.err).not.toContain(hidden);
  expect(sent).toEqual([]);
  return result;
}

async function facts(list: string, body?: unknown, options: ExplainOptions = { header: [key] }): Promise<Explanation> {
  const { out, exitCode } = await explained(list, body, { ...options, json: true });
  expect(exitCode).toBe(0);
  return JSON.parse(out) as Explanation;
}

it("tells who is asking, and which plugin knows", async () => {
  expect((await facts("{ list: [acme-eu] }")).principal).toMatchObject({
    id: "key:blue",
    name: "blue",
    metadata: { team: "blue" },
    plugin: "auth-keys",
  });
});

it("lists the targets in the order the route tries them", async () => {
  const { route } = await facts("{ list: [acme-eu, shaped, fetching] }");
  expect(route).toMatchObject({ plugin: "route-list", cut: false });
  expect(route?.targets.map(({ path, provider, model, retry }) => [path, provider.slug, model, retry])).toEqual([
    ["config.targets[0]", "acme-eu", "model-0", false],
    ["config.targets[0]", "acme-eu", "model-0", true],
    ["config.targets[1]", "shaped", "model-1", false],
    ["config.targets[2]", "fetching", "model-2", false],
  ]);
  expect(route?.targets[1]).toMatchObject({ delayMs: 250, clocks: { connect: 10_000, total: 1_000 } });
});

it("says what a tap foresees once for each target: for a retry no tap is asked again", async () => {
  const { decisions } = await facts("{ list: [acme-eu, shaped] }", hello, { header: [key, "x-foresee: yes"] });
  expect(decisions).toEqual(
    ["config.targets[0]", "config.targets[1]"].map((path) => ({ path, message: "lets it through" })),
  );
});

it("stops listing a route that goes on for ever", async () => {
  const { route } = await facts("{ list: [acme-eu], endless: true }");
  expect(route?.cut).toBe(true);
  expect(route?.targets.filter(({ retry }) => !retry)).toHaveLength(20);
});

it("shows what would be sent where bytes pass through", async () => {
  const { route } = await facts("{ list: [acme-eu] }");
  expect(route?.targets[0]).toMatchObject({
    provider: { slug: "acme-eu", name: "acme", baseUrl: "https://***@acme.example/v1" },
    formats: { client: "openai-chat", upstream: "openai-chat", body: "as received, model exchanged" },
    dropped: [],
    call: {
      method: "POST",
      url: "https://***@acme.example/v1/chat",
      headers: {
        authorization: "Bearer ***6789",
        "content-type": "application/json",
        "x-opaque": "***alue",
        "x-env": "***",
      },
      body: { ...hello, model: "model-0" },
    },
  });
});

it("shows what would be sent where the provider cannot take a field", async () => {
  const { route } = await facts("{ list: [shaped] }");
  const { logit_bias: _, ...kept } = hello;
  expect(route?.targets[0]).toMatchObject({
    formats: { body: "adjusted for the provider" },
    dropped: ["logit_bias"],
    call: { headers: { "x-api-key": "***" }, body: { ...kept, model: "model-0" } },
  });
});

it("shows what would be sent in another format, and fetches and signs nothing", async () => {
  const { route } = await facts("{ list: [fetching] }");
  expect(route?.targets[0]).toMatchObject({
    formats: { client: "openai-chat", upstream: "anthropic-messages", body: "translated" },
    dropped: ["logit_bias"],
    call: {
      url: "https://other.example/model-0/messages?beta=1&key=***",
      headers: { "content-type": "application/json" },
      later: ["credential headers", "signature headers"],
      body: { model: "model-0", messages: [{ role: "user" }] },
    },
  });
});

it("goes on after a target that could not be called", async () => {
  const { route } = await facts("{ list: [shaped, deaf, acme-eu] }");
  expect(route?.targets.map(({ refused }) => refused?.status)).toEqual([undefined, undefined, 400, undefined]);
  expect(route?.targets[2]?.refused?.body).toMatchObject({ message: "chatComplete is not supported by deaf." });
});

it("refuses a target when the client wants nothing dropped", async () => {
  const { route } = await facts("{ list: [shaped] }", hello, { header: [key, "x-gateway-strict-params: true"] });
  expect(route?.targets[0]?.refused).toMatchObject({ status: 400 });
});

it("lists the plugins of each hook that rings, in the order they are asked", async () => {
  const { hooks } = await facts("{ list: [acme-eu] }", { ...hello, stream: true });
  expect(hooks).toMatchObject({
    auth: [{ plugin: "auth-keys", stage: 100 }],
    beforeRequest: [
      { plugin: "guard", stage: 100 },
      { plugin: "tapper", stage: 200 },
    ],
    streamChunk: [{ plugin: "tapper", stage: 0 }],
    afterRequest: [],
    cost: [{ plugin: "tapper", stage: 250 }],
  });
  expect((await facts("{ list: [acme-eu] }")).hooks).not.toHaveProperty("streamChunk");
  expect(rung).toEqual([]);
});

it("shows raw calls as they came", async () => {
  const { route, hooks } = await facts(
    "{ list: [acme-eu] }",
    { file: 1 },
    { header: [key, "x-mine: 1"], path: "/v1/files?a=1", method: "put" },
  );
  expect(Object.keys(hooks)).toEqual(["auth", "routeSelect", "cost"]);
  expect(route?.targets[0]).toMatchObject({
    raw: true,
    call: {
      method: "PUT",
      url: "https://***@acme.example/v1/files?a=1",
      headers: { "x-mine": "1" },
      body: { file: 1 },
    },
  });
});

it("shows of an upload where it goes, not what is in it", async () => {
  const { route } = await facts("{ list: [acme-eu] }", "--x--", {
    header: [key, "content-type: multipart/form-data; boundary=x"],
    path: "/v1/files",
  });
  expect(route?.targets[0]?.call).toMatchObject({
    body: "(multipart/form-data; boundary=x, as received)",
    bodyBytes: 5,
  });
});

it("shows where files are kept as it is asked, and where in a way of the provider's own", async () => {
  const options = { header: [key], path: "/v1/files/file-1", method: "get" };
  const { route } = await facts("{ list: [acme-eu, keeping] }", "", options);
  const [passing, , performing] = route?.targets ?? [];
  expect(passing).toMatchObject({
    raw: true,
    call: { method: "GET", url: "https://***@acme.example/v1/files/file-1" },
  });
  expect(performing).toMatchObject({ raw: false, procedure: "retrieveFile" });
  expect(performing?.call).toBeUndefined();
  expect((await explained("{ list: [keeping] }", "", options)).out).toContain("those keeping makes for retrieveFile");
  const { route: none } = await facts("{ list: [keeping] }", "", { ...options, path: "/v1/files" });
  expect(none?.targets[0]?.refused).toMatchObject({ status: 400 });
});

it("cuts a long body, and no secret with it", async () => {
  const filler = "x".repeat(3_960);
  for (let shift = 0; shift < 24; shift++) {
    const content = `${filler}${"y".repeat(shift)}key-of-acme-0123456789 ${filler}`;
    const { route } = await facts("{ list: [acme-eu] }", { ...hello, messages: [{ role: "user", content }] });
    expect(String(route?.targets[0]?.call?.body)).toHaveLength(4_097);
    expect(String(route?.targets[0]?.call?.body)).not.toMatch(/key-of/);
  }
});

describe("a request that gets nowhere", () => {
  const body = { error: { message: expect.any(String) } };
  it.each([
    { what: "has no key", options: { header: [] }, status: 401, hooks: ["auth", "cost"] },
    {
      what: "has an unknown key",
      options: { header: ["x-api-key: nobody-knows-this-one"] },
      status: 401,
      hooks: ["auth", "cost"],
    },
    {
      what: "is refused by a plugin",
      options: { header: [key, "x-fail: chosen"] },
      status: 429,
      hooks: ["auth", "routeSelect", "cost"],
    },
    { what: "is text", options: { header: [key, "content-type: text/plain"] }, status: 400, hooks: ["auth", "cost"] },
  ])("$what: shows what the client gets", async ({ options, status, hooks }) => {
    const told = await facts("{ list: [acme-eu] }", hello, options);
    expect(told.refused).toMatchObject({ status, body });
    expect(told.route).toBeUndefined();
    expect(Object.keys(told.hooks)).toEqual(hooks);
    expect(JSON.stringify(told)).not.toContain("nobody-knows");
  });

  it("names an unknown provider", async () => {
    expect((await facts("{ list: [nobody] }")).refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('There is no provider "nobody"') },
    });
  });

  it("is not known to any endpoint", async () => {
    const told = await facts("{ list: [acme-eu] }", hello, { path: "/v3/chat/completions" });
    expect(told).toMatchObject({ refused: { status: 404, body: { message: "Not Found" } }, hooks: {} });
  });

  it("is not JSON: says where, and not that it has no credential", async () => {
    const { err, exitCode } = await explained("{ list: [acme-eu] }", '{\n "a": }', {});
    expect({ err, exitCode }).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^--request: .*request\.json:2:7: Unexpected "\}" in JSON\. The file is no JSON; /),
    });
    const typed = { header: [key, "content-type: multipart/form-data; boundary=x"] };
    expect((await facts("{ list: [acme-eu] }", "{", typed)).request.endpoint).toBe("chatComplete");
  });

  it("meets a plugin that fails: says which, and why", async () => {
    const { out } = await explained("{ list: [acme-eu] }", hello, { header: [key, "x-fail: yes"] });
    expect(out).toContain("The client gets 500, because: [plugin failing] routeSelect: x is not a function");
  });

  it("meets a secret that is not to be had: says what the client gets, and why", async () => {
    const refused = {
      status: 500,
      body: { status: "failure", message: "Unable to resolve secret" },
      reason: lost.message,
    };
    const ofRoute = await facts("{ list: [acme-eu] }", hello, { header: [key, "x-fail: lost"] });
    expect(ofRoute.refused).toMatchObject(refused);
    const ofTarget = await facts("{ list: [acme-eu] }", hello, { header: [key, "x-lost: key"] });
    expect(ofTarget.route?.targets[0]?.refused).toMatchObject(refused);
  });
});

it("is a page for people", async () => {
  const { out, exitCode } = await explained("{ list: [acme-eu, deaf] }", { model: "gpt", messages: [] });
  expect(exitCode).toBe(0);
  await expect(out).toMatchFileSnapshot("explain/fixtures/page.txt");
});

describe("what the command is given", () => {
  const file = () =>
    join(temporaryFolder({ "gateway.yaml": plugins("{ list: [acme-eu] }") + providers }), "gateway.yaml");
  it.each([
    [{ request: "nowhere.json" }, "--request: nowhere.json cannot be read (ENOENT)\n"],
    [{ header: ["no-colon-and-a-secret"] }, '--header is written "name: value"\n'],
    [{ path: "v1/messages" }, '--path begins with "/", as in /v1/chat/completions, not "v1/messages"\n'],
    [{ method: "FETCH" }, '--method: there is no method "FETCH"\n'],
  ])("is refused when it is %j", async (options, err) => {
    expect(await explain(file(), options, { loader, environment })).toEqual({ exitCode: 1, out: "", err });
  });

  it("may be a file with mistakes", async () => {
    const result = await explain(file(), {}, { loader, environment: environmentOf({}) });
    expect(result).toMatchObject({ exitCode: 1, out: "" });
    expect(result.err).toContain("the environment variable TEAM_KEY is not set");
  });

  it("may be a file whose plugins do not start", async () => {
    const result = await explain(
      file(),
      {},
      { loader, environment: environmentOf({ TEAM_KEY: "brief", ACME_KEY: "a", SHAPED_KEY: "b" }) },
    );
    expect(result.err).toMatch(
      /gateway\.yaml:\d+:\d+ plugins\.auth-keys\.keys\[0\]\.key: the key "blue" is shorter than 16 characters \(from the environment variable TEAM_KEY\)\n$/,
    );
  });
});
