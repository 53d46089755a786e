import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "./cli/testing.ts";
import { definePlugin } from "./define-plugin.ts";
import { Stage } from "./hooks.ts";
import type { Endpoint, Served } from "./model/endpoint.ts";
import type { PluginContext } from "./plugin.ts";
import { serviceToken } from "./service-token.ts";
import { startGateway } from "./test-kit/index.ts";

/** Whoever writes JavaScript makes mistakes that types would tell of. */
type Untyped = Record<"tap" | "tapPromise", (...args: unknown[]) => void>;
type UntypedHooks = Readonly<Record<string, Untyped>>;

const own = (setup: (context: PluginContext) => void | Promise<void>) =>
  definePlugin({ name: "own", summary: "Does what a test says.", options: z.strictObject({}), setup });

const tapping = (tap: (hooks: Required<UntypedHooks>) => void) =>
  own(({ hooks }) => tap(hooks as unknown as UntypedHooks));

async function start(plugin: ReturnType<typeof own>, server = {}) {
  const gateway = await startGateway({
    plugins: [plugin],
    config: {
      server,
      plugins: { own: {}, "auth-open": {}, routing: { default: "simulator" }, "format-openai-chat": {} },
      providers: { simulator: {} },
    },
  });
  onTestFinished(gateway.close);
  const ask = (stream = false) =>
    gateway.fetch("/v1/chat/completions", {
      json: { model: "m", stream, messages: [{ role: "user", content: "Hi" }] },
    });
  return { ...gateway, ask, errors: () => gateway.log.lines.flatMap(({ fields }) => String(fields.error ?? [])) };
}

describe("a tap that cannot be what was meant stops the start", () => {
  it.each<[string, (hooks: UntypedHooks) => void, string]>([
    [
      "a stage there is not",
      ({ cost }) => cost?.tap({ name: "own", stage: (Stage as Record<string, number>).gaurd }, () => {}),
      "taps cost at a stage there is not: it is one of Stage.enrich, Stage.guard",
    ],
    [
      "a stage in words",
      ({ cost }) => cost?.tap({ name: "own", stage: "guard" }, () => {}),
      "taps cost at a stage there is not",
    ],
    [
      "a misspelt setting",
      ({ cost }) => cost?.tap({ name: "own", stge: 100 }, () => {}),
      'taps cost with "stge"; did you mean "stage"?',
    ],
    [
      "the order of another library",
      ({ cost }) => cost?.tap({ name: "own", before: "x" }, () => {}),
      'taps cost with "before"; known settings: name, stage',
    ],
    [
      "a condition that is none",
      ({ cost }) => cost?.tap({ name: "own", when: true }, () => {}),
      'taps cost with "when", which has to be a function',
    ],
    [
      "no function",
      ({ cost }) => cost?.tapPromise("own"),
      "taps cost without a function: it is tapPromise(name, function)",
    ],
    [
      "a function in the place of the name",
      ({ cost }) => cost?.tap(() => {}),
      "taps cost without a function: it is tap(name, function)",
    ],
    [
      "a hook there is not",
      ({ beforeRequests }) => beforeRequests?.tap("own", () => {}),
      'there is no hook "beforeRequests"; did you mean "beforeRequest"?',
    ],
  ])("%s", async (_, tap, message) => {
    await expect(start(tapping(tap))).rejects.toThrow(`[plugin own] setup: ${message}`);
  });
});

describe("a format that cannot be spoken stops the start", () => {
  const nothing = () => undefined;
  const whole = {
    ...{ name: "talk", operation: "chat", drops: [], readUsage: nothing, decodeError: nothing },
    ...{ decodeRequest: nothing, encodeRequest: nothing, decodeResponse: nothing, encodeResponse: nothing },
  };

  it.each<[object, string]>([
    [{ decodeResponse: undefined }, 'the format "talk" has no function decodeResponse'],
    [{ framing: "lines" }, 'the format "talk" has the framing "lines": it is one of sse, ndjson, json-list'],
    [{ drops: undefined }, 'the format "talk" has no list drops'],
  ])("%o", async (more, message) => {
    await expect(start(own(({ format }) => format({ ...whole, ...more } as never)))).rejects.toThrow(
      `[plugin own] setup: ${message}`,
    );
  });
});

describe("a condition that fails", () => {
  const boom = () => {
    throw new Error("boom");
  };

  it.each(["streamChunk", "afterRequest"] as const)("on %s names its plugin and its hook", async (hook) => {
    const { ask } = await start(tapping((hooks) => hooks[hook]?.tap({ name: "own", when: boom }, () => {})));
    const answer = await ask(hook === "streamChunk");
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining(`[plugin own] ${hook}: when: boom`),
    ]);
  });

  it("on cost keeps no other tap from its work", async () => {
    let counted = 0;
    const { ask, settled, errors } = await start(
      own(({ hooks }) => {
        hooks.cost.tap({ name: "own", when: boom }, () => {});
        hooks.cost.tap("own", () => void counted++);
      }),
    );
    await (await ask()).text();
    expect(await settled()).toHaveLength(1);
    expect([counted, errors()]).toEqual([1, ["GatewayError: [plugin own] cost: boom"]]);
  });
});

describe("an endpoint", () => {
  const serving = (serve: () => unknown, more: Partial<Endpoint> = {}) =>
    own(({ endpoint }) =>
      endpoint({
        type: "own",
        method: "GET",
        path: "/v1/own",
        serve: serve as NonNullable<Endpoint["serve"]>,
        ...more,
      }),
    );
  const noAnswer = "serve() gave no answer: that is { status, headers, body }, with a status from 200 to 599";

  it.each<[string, unknown, string]>([
    ["a number", 7, noAnswer],
    ["no status", { body: {} }, noAnswer],
    ["a status there is not", { status: 99_999 }, noAnswer],
    ["a body that is no JSON", { status: 200, body: { size: 1n } }, "Do not know how to serialize a BigInt"],
    ["a header that would be two", { status: 200, headers: { "x-a": "a\nb" } }, "Invalid character in header content"],
  ])("that gives %s is a 500, and the log names the plugin", async (_, given, message) => {
    for (const answer of [() => given, async () => given]) {
      const { fetch, errors } = await start(serving(answer));
      const answered = await fetch("/v1/own");
      expect([answered.status, await answered.json()]).toMatchObject([500, { message: "Something went wrong" }]);
      expect(errors()).toEqual([expect.stringContaining(`[plugin own] GET /v1/own: ${message}`)]);
    }
  });

  it("that throws is named in the log, and the client is told nothing of it", async () => {
    const { fetch, errors } = await start(
      serving(() => {
        throw new Error("the password is wrong");
      }),
    );
    expect(await (await fetch("/v1/own")).text()).not.toContain("password");
    expect(errors()).toEqual(["Error: [plugin own] GET /v1/own: the password is wrong"]);
  });

  it.each<[string, () => unknown]>([
    ["a promise", () => new Promise(() => {})],
    ["something like a promise", () => new Proxy({}, { has: () => true, get: () => () => {} })],
  ])("whose %s never settles is a 500 in time, and the log names the plugin", async (_, serve) => {
    const { fetch, errors } = await start(serving(serve), { hookDeadline: 20 });
    const answered = await fetch("/v1/own");
    expect([answered.status, await answered.json()]).toMatchObject([500, { message: "Something went wrong" }]);
    expect(errors()).toEqual(["Error: [plugin own] GET /v1/own: did not settle within 20 ms"]);
  });

  it("that takes its time has that of a whole attempt", async () => {
    let answer: (served: Served) => void = () => {};
    const plugin = own(({ endpoint }) => {
      const slow = () => new Promise<Served>((resolve) => (answer = resolve));
      endpoint({ type: "own", method: "GET", path: "/v1/slow", serve: slow, takesTime: true });
      endpoint({ type: "own", method: "GET", path: "/v1/never", serve: () => new Promise(() => {}) });
    });
    const { fetch } = await start(plugin, { hookDeadline: 20 });
    const waited = fetch("/v1/slow");
    expect((await fetch("/v1/never")).status).toBe(500);
    answer({ status: 200, body: "done" });
    expect((await waited).status).toBe(200);
  });

  it("that takes its time is cut off behind that", async () => {
    const { fetch, errors } = await start(
      serving(() => new Promise(() => {}), { takesTime: true }),
      {
        hookDeadline: 20,
        clocks: { total: 30 },
      },
    );
    expect((await fetch("/v1/own")).status).toBe(500);
    expect(errors()).toEqual(["Error: [plugin own] GET /v1/own: did not settle within 30 ms"]);
  });

  it.each<[string, () => unknown, string]>([
    ["never settles", () => new Promise(() => {}), "did not settle within 20 ms"],
    ["throws", () => Promise.reject(new Error("boom")), "boom"],
    ["gives nothing", () => undefined, "prepare() gave no request"],
  ])("whose prepare %s is a 500, and the log names the plugin", async (_, prepare, message) => {
    const making = { method: "POST", prepare: prepare as NonNullable<Endpoint["prepare"]> };
    const { fetch, errors } = await start(
      serving(() => undefined, making),
      { hookDeadline: 20 },
    );
    expect((await fetch("/v1/own", { json: {} })).status).toBe(500);
    expect(errors()).toEqual([expect.stringContaining(`[plugin own] POST /v1/own: ${message}`)]);
  });

  it.each<[string, Partial<Endpoint>, string]>([
    [
      "a path without a slash",
      { path: "v1/own" },
      "the endpoint GET v1/own has a path that does not begin with a slash",
    ],
    [
      "a misspelt field",
      { serv: () => undefined } as Partial<Endpoint>,
      'the endpoint GET /v1/own has an unknown field "serv"; did you mean "serve"?',
    ],
    ["a method there is not", { method: "FETCH" }, "the endpoint FETCH /v1/own has a method there is not"],
    [
      "a place that is taken",
      { method: "GET", path: "/v1/models" },
      "the endpoint GET /v1/models is there already: the plugin ",
    ],
  ])("with %s stops the start", async (_, more, message) => {
    const plugin = own(({ endpoint }) => {
      for (const one of [more, ...(more.path === "/v1/models" ? [more] : [])])
        endpoint({ type: "own", method: "GET", path: "/v1/own", serve: () => ({ status: 200 }), ...one });
    });
    await expect(start(plugin)).rejects.toThrow(`[plugin own] setup: ${message}`);
  });

  it("in a format that nobody brings stops the start", async () => {
    const plugin = own(({ endpoint }) =>
      endpoint({ type: "own", method: "POST", path: "/v1/own", operation: "chat", format: "openai-cat" }),
    );
    await expect(start(plugin)).rejects.toThrow(
      '[plugin own] the endpoint POST /v1/own is in the format "openai-cat", which no plugin of the file brings; did you mean "openai-chat"?',
    );
  });
});

it("a route that gives what is no target is a 500 that says so", async () => {
  const plugin = tapping(({ routeSelect }) =>
    routeSelect?.tap("own", function* (): Generator<unknown, unknown> {
      return yield { provider: "openai" };
    }),
  );
  const { ask } = await start(plugin);
  const answer = await ask();
  expect([answer.status, await answer.text()]).toEqual([
    500,
    expect.stringContaining("routeSelect: a route gave what is no target; that is { path, provider }"),
  ]);
});

it("what the gateway says while a plugin is set up names that plugin", async () => {
  const plugin = own(async ({ call }) => {
    await call({ provider: "simulator", operation: "chat", body: {} as never });
  });
  await expect(start(plugin)).rejects.toThrow(
    "[plugin own] setup: A plugin called a provider before the gateway was set up.",
  );
});

it("a start that hangs in a plugin says which", async () => {
  const hanging = own(
    ({ log }) =>
      new Promise<void>((goOn) => {
        const { warn } = log;
        Object.assign(log, {
          warn(...line: Parameters<typeof warn>) {
            warn(...line);
            goOn();
          },
        });
      }),
  );
  const { log } = await start(hanging, { hookDeadline: 20 });
  expect(log.lines).toContainEqual({
    level: "warn",
    message: "the start still waits for a plugin",
    fields: { plugin: "own", part: "setup" },
  });
});

describe("a definition", () => {
  const whole = { name: "own", summary: "Does nothing.", options: z.strictObject({}), setup() {} };

  it.each<[object, string]>([
    [{ need: [] }, 'unknown field "need"; did you mean "needs"?'],
    [{ name: "" }, "name is missing"],
    [{ summary: undefined }, "summary is missing"],
    [{ options: {} }, "options is missing: a z.strictObject"],
    [{ setup: undefined }, "setup is missing"],
    [{ needs: [serviceToken("a"), undefined] }, "needs[1] names no service: it is a token, made with serviceToken()"],
    [{ provides: ["counting"] }, "provides[0] names no service"],
  ])("with %o says what is wrong", (more, message) => {
    expect(() => definePlugin({ ...whole, ...more } as never)).toThrow(`definePlugin: ${message}`);
  });

  it("is told with the line of the config file that names it", async () => {
    const surface = new URL("./index.ts", import.meta.url).href;
    const source = `import { definePlugin, z } from "${surface}";
      export default definePlugin({ name: "own", summary: "Nothing.", options: z.strictObject({}), setUp() {} });`;
    const config = { plugins: { own: { use: "./own.mjs" } } };
    await expect(startGateway({ config, folder: temporaryFolder({ "own.mjs": source }) })).rejects.toThrow(
      /test\.yaml:4:14 plugins\.own: the plugin "\.\/own\.mjs" fails to import: Error: definePlugin: unknown field "setUp"; did you mean "setup"\?/,
    );
  });
});
