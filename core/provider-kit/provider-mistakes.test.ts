import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { definePlugin } from "../define-plugin.ts";
import { raise } from "../errors/gateway-error.ts";
import type { Plugin } from "../plugin.ts";
import { secret } from "../secrets/secret.ts";
import { startGateway, type UpstreamAnswers } from "../test-kit/index.ts";
import { bindProvider } from "./bind.ts";
import { defineProvider } from "./define-provider.ts";

const whole = { name: "acme", summary: "Acme's API.", operations: { chat: "openai-chat" } } as const;

async function startedWith(
  more: object,
  answer: UpstreamAnswers = [],
  options: object = {},
  plugins: readonly Plugin[] = [],
) {
  const acme = defineProvider({ ...whole, ...more } as never);
  const gateway = await startGateway({
    providers: [acme],
    plugins,
    config: {
      plugins: {
        ...Object.fromEntries(plugins.map(({ name }) => [name, {}])),
        ...{ "auth-open": {}, routing: { default: "mine" }, proxy: {}, "format-openai-chat": {} },
      },
      providers: { mine: { use: "acme", apiKey: "acme-key-0123", baseUrl: "${VENDOR}", ...options } },
    },
    upstreams: { VENDOR: answer },
  });
  onTestFinished(gateway.close);
  return gateway;
}

async function ask(
  more: object,
  answer: UpstreamAnswers,
  options: object = {},
  { place = "/v1/chat/completions", stream = false, plugins = [] as readonly Plugin[] } = {},
) {
  const gateway = await startedWith(more, answer, options, plugins);
  const response = await gateway.fetch(place, {
    json: { model: "m", messages: [{ role: "user", content: "Hi" }], ...(stream && { stream }) },
  });
  await gateway.settled();
  const lines = gateway.log.lines.filter(({ fields }) => fields.error);
  const errors = lines.map(({ fields }) => String(fields.error));
  return { status: response.status, text: await response.text(), lines, errors };
}

const answered = { json: { choices: [{ index: 0, message: { role: "assistant", content: "Hi" } }] } };

const boom = () => {
  throw new Error("boom");
};

it("a credential that cannot be made stops the start, and names the provider", async () => {
  await expect(ask({ authenticate: boom }, [])).rejects.toThrow("[provider acme] authenticate: boom");
});

it.each<[unknown, string]>([
  [42, "it gave a number: headers are expected"],
  ["sk-0123", "it gave a string: headers are expected"],
  [["sk-0123"], "it gave a list: headers are expected"],
  [{ "x-key": 42 }, "it gave a number for the header x-key: headers are expected"],
  [{ "x-key": secret().parse("sk-0123") }, "it gave an object of the class Secret for the header x-key: headers"],
  [new Headers({ "x-key": "sk-0123" }), "it gave an object of the class Headers: headers are expected"],
  [new Map([["x-key", "sk-0123"]]), "it gave an object of the class Map: headers are expected"],
  [{ "x key": "sk-0123" }, 'it gave "x key" as the name of a header, which it is not'],
  [{ "x-key": `${secret().parse("sk-0123")}` }, 'it gave "[secret]" for the header x-key: the text of a secret is'],
  [Promise.resolve({ "x-key": "sk-0123" }), "it gave a promise: what takes time is done by a function"],
])("a credential that is none stops the start, and says what it is: %o", async (given, message) => {
  const error: unknown = await ask({ authenticate: () => given }, []).catch((cause: unknown) => cause);
  expect(String(error)).toContain(`[provider acme] authenticate: ${message}`);
  expect(String(error)).not.toContain("sk-0123");
});

it.each([
  ["sk-0123", "a string"],
  [undefined, "undefined"],
])("a credential that is none before a call is a 500, and the log says what it is: %s", async (given, kind) => {
  const { status, errors } = await ask({ authenticate: () => async () => given }, answered);
  const told = `authenticate: it gave ${kind}: headers are expected, such as { authorization: "Bearer …" }`;
  expect([status, errors]).toEqual([500, [`Error: [provider acme] ${told}`]]);
});

it("every provider that cannot be made ready is told, with its place in the file", async () => {
  const acme = defineProvider({ ...whole, authenticate: boom } as never);
  const other = defineProvider({
    ...whole,
    name: "other",
    operations: () => ({ chat: { format: "x", drop: [] } }),
  } as never);
  const config =
    "plugins: { auth-open: {} }\nproviders:\n  one: { use: acme, baseUrl: http://a }\n  two:\n    { use: other, baseUrl: http://b }\n";
  const error: unknown = await startGateway({ providers: [acme, other], config }).catch((cause: unknown) => cause);
  expect(String(error).split("\n")).toEqual([
    expect.stringMatching(/:3:3 providers\.one: \[provider acme\] authenticate: boom/),
    expect.stringMatching(
      /:4:3 providers\.two: \[provider other\] operations: unknown field "drop" of chat; did you mean "drops"\?/,
    ),
  ]);
});

it.each([
  ["nothing", undefined, "undefined"],
  ["no URL", "acme.example", '"acme.example"'],
])("a base URL that is made of options and is %s stops the start", async (_, given, shown) => {
  await expect(ask({ baseUrl: () => given }, [], { baseUrl: undefined })).rejects.toThrow(
    `[provider acme] baseUrl: it gave ${shown}, and has to give a URL, such as "https://api.acme.example/v1"`,
  );
});

it("a format that is a letter off one that is there is told in the log", async () => {
  const { log } = await startedWith({ operations: { chat: "openai-chatt" } });
  expect(log.lines.filter(({ level }) => level === "warn")).toEqual([
    expect.objectContaining({
      fields: { provider: "mine", format: "openai-chatt", "did you mean": "openai-chat" },
    }),
  ]);
});

it("an operation under another name than its format has stops the start, and says the name", async () => {
  await expect(ask({ operations: { chats: "openai-chat" } }, [])).rejects.toThrow(
    "[provider acme] operations.chats has the format openai-chat, which is one of chat: name it operations.chat.",
  );
});

it("an error body that cannot be read is told in the log, with the provider", async () => {
  const { status, errors } = await ask({ readError: boom }, { status: 418, json: {} });
  expect([status, errors]).toEqual([500, ["Error: [provider acme] readError: boom"]]);
});

const said = (message: string) => expect.objectContaining({ message });

it.each<[string, object]>([
  ["path", { path: boom }],
  ["serves", { serves: boom }],
  ["model", { model: boom }],
  ["metadata", { metadata: boom }],
  ["streamsOnly", { streamsOnly: boom, defaults: { seed: 1 } }],
  ["rewrite", { rewrite: { when: ["messages"], apply: boom } }],
  ["normalise", { normalise: boom }],
])("a %s that throws is a 500, and the log names the provider, its slug and the function", async (name, more) => {
  const { status, text, lines } = await ask({ operations: { chat: { format: "openai-chat", ...more } } }, answered);
  expect([status, JSON.parse(text)]).toMatchObject([500, { message: "Something went wrong" }]);
  expect(lines).toEqual([
    expect.objectContaining({
      message: "attempt failed",
      fields: expect.objectContaining({ provider: "mine", error: said(`[provider acme] ${name}: boom`) }),
    }),
  ]);
});

const nothing = () => undefined;

it.each<[string, object, string]>([
  ["path", { path: nothing }, "undefined, and has to give a path that begins with a slash, below the base URL"],
  ["path", { path: () => "talk" }, '"talk", and has to give a path that begins with a slash, below the base URL'],
  ["rewrite", { rewrite: { when: ["messages"], apply: nothing } }, "undefined, and has to give a map"],
  ["normalise", { normalise: nothing }, "undefined, and has to give a map"],
])("a %s that gives what cannot be used is a 500, and the log says what it gave", async (name, more, given) => {
  const { status, errors } = await ask({ operations: { chat: { format: "openai-chat", ...more } } }, answered);
  expect([status, errors]).toEqual([500, [`Error: [provider acme] ${name}: it gave ${given}`]]);
});

it("what a normalise gives back as it got it is the vendor's doing", async () => {
  const normalise = (wire: object) => wire;
  const { status, errors } = await ask({ operations: { chat: { format: "openai-chat", normalise } } }, { json: [] });
  expect([status, errors]).toEqual([502, []]);
});

it("a firstFor that throws names the provider and the function", () => {
  const definition = defineProvider({
    ...whole,
    operations: { chat: { format: "talk", path: "/talk", firstFor: boom } },
  });
  const options = { headers: {}, forwardHeaders: [], clocks: {} };
  const formats = new Map([["talk", { name: "talk", operation: "chat" } as never]]);
  const { operations } = bindProvider({ slug: "mine", definition, options, formats });
  expect(() => operations.chat?.[0]?.firstFor?.("m")).toThrow("[provider acme] firstFor: boom");
});

const frame = (content: string, finish_reason: string | null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const streamed = { events: [frame("Good", null), frame(" day", "stop"), "[DONE]"] };

const gathering = definePlugin({
  name: "gathering",
  summary: "Waits for whole answers.",
  options: z.strictObject({}),
  setup({ hooks }) {
    hooks.beforeRequest.tap("gathering", (request, exchange) => {
      if (exchange.attempt) exchange.attempt.gathers = true;
      return request;
    });
    hooks.afterRequest.tap("gathering", (answer) => answer);
  },
});

it.each<[string, readonly Plugin[]]>([
  ["streamed on", []],
  ["put together first", [gathering]],
])("a normaliseFrame that throws is told in the log, once for a stream that is %s", async (_, plugins) => {
  const chat = { format: "openai-chat", normaliseFrame: boom };
  const { text, lines } = await ask({ operations: { chat } }, streamed, {}, { stream: true, plugins });
  expect(text).toMatch(/Good.*day/s);
  expect(lines).toEqual([
    expect.objectContaining({
      message: "a frame could not be normalised",
      fields: expect.objectContaining({ provider: "mine", error: said("[provider acme] normaliseFrame: boom") }),
    }),
  ]);
});

const rejects = () => Promise.reject(new Error("boom"));

it.each<[string, object]>([
  ["sign", { sign: boom }],
  ["sign", { sign: rejects }],
  ["headerFilters", { headerFilters: { "content-type": boom } }],
  ["headerFilters", { headerFilters: () => ({ "content-type": boom }) }],
  ["findModel", { findModel: boom }],
  ["findModel", { findModel: rejects }],
  ["modelBehind", { findModel: () => undefined, modelBehind: boom }],
  ["whyNot", { operations: { chat: { format: "openai-chat", serves: () => false } }, whyNot: boom }],
  ["authenticate", { authenticate: () => rejects }],
])("a %s that fails is told in the log with its provider: %o", async (name, more) => {
  const { status, lines } = await ask(more, answered);
  const error = said(`[provider acme] ${name}: boom`);
  expect([status, lines]).toEqual([500, [expect.objectContaining({ fields: expect.objectContaining({ error }) })]]);
});

it.each(["lacks", "baseUrl", "operations", "procedures", "sockets", "transport", "headerFilters"])(
  "a function %s that throws stops the start, and names the provider",
  async (name) => {
    await expect(ask({ [name]: boom }, [], name === "baseUrl" ? { baseUrl: undefined } : {})).rejects.toThrow(
      `[provider acme] ${name}: boom`,
    );
  },
);

it.each([nothing, () => Promise.resolve(undefined)])("a signature that is none is told in the log", async (sign) => {
  const { status, errors } = await ask({ sign }, answered);
  expect([status, errors]).toEqual([
    500,
    ['Error: [provider acme] sign: it gave undefined: headers are expected, such as { authorization: "Bearer …" }'],
  ]);
});

it("functions of a provider see what they stand beside", async () => {
  const rewrite = {
    when: ["messages"],
    user: "me",
    apply(wire: object) {
      return { ...wire, user: this.user };
    },
  };
  const chat = {
    format: "openai-chat",
    exact: true,
    rewrite,
    place: "/talk",
    path() {
      return this.place;
    },
  };
  const received: unknown[] = [];
  await ask({ operations: { chat } }, ({ url, body }) => {
    received.push(url, JSON.parse(String(body)).user);
    return answered;
  });
  expect(received).toEqual(["/talk", "me"]);
});

it("a proxyPath that throws is told so, too", async () => {
  const { status, errors } = await ask({ proxyPath: boom }, answered, {}, { place: "/v1/proxy/chat" });
  expect([status, errors]).toEqual([500, ["Error: [provider acme] proxyPath: boom"]]);
});

it("what a function of a provider refuses on purpose is what the client is told", async () => {
  const path = () => raise("invalid_request", "Not like this.");
  const { status, text, lines } = await ask({ operations: { chat: { format: "openai-chat", path } } }, answered);
  expect([status, JSON.parse(text), lines]).toMatchObject([400, { message: "Not like this." }, []]);
});

it.each<[string, unknown, string]>([
  ["a text", "A teapot.", "a string"],
  ["a number", 7, "a number"],
  ["a list", [{ message: "A teapot." }], "a list"],
  ["a promise", Promise.resolve({ message: "A teapot." }), "an object of the class Promise"],
])("an error that is read as %s is told in the log, with the provider", async (_, read, kind) => {
  const { status, errors } = await ask({ readError: () => read }, { status: 418, json: {} });
  const told = `it gave ${kind}, and has to give an error such as { message: "…" }, or nothing`;
  expect([status, errors]).toEqual([500, [`Error: [provider acme] readError: ${told}`]]);
});

it.each([null, {}])("an error that is read as %o is read as the format does", async (read) => {
  const { status, text } = await ask(
    { readError: () => read },
    { status: 418, json: { error: { message: "A teapot." } } },
  );
  expect([status, JSON.parse(text).error.message]).toEqual([418, "acme error: A teapot."]);
});

it("secrets that lie deep in the options are not told when a vendor quotes them", async () => {
  const options = z.strictObject({ login: z.strictObject({ pins: z.array(secret()) }) });
  const quoted = { status: 401, json: { error: { message: "The pin pin-12345678 is wrong." } } };
  const { text } = await ask({ options }, quoted, { login: { pins: ["pin-12345678"] } });
  expect(text).toContain("The pin *** is wrong.");
});

it("a credential that is never there is not waited for without end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const definition = defineProvider({ ...whole, authenticate: () => () => new Promise<never>(() => {}) });
  const options = { headers: {}, forwardHeaders: [], clocks: {} };
  const { headers } = bindProvider({ slug: "acme", definition, options, formats: new Map() });
  const never = expect((headers as () => Promise<object>)()).rejects.toThrow(
    "The credential for acme was not there within 30000 ms.",
  );
  await vi.advanceTimersByTimeAsync(30_000);
  await never;
});
