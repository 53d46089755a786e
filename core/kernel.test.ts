import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { definePlugin } from "./define-plugin.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import { type Kernel, type ResolvedPlugin, startKernel } from "./kernel.ts";
import type { Answer } from "./model/answer.ts";
import type { Exchange } from "./model/exchange.ts";
import type { GatewayRequest } from "./model/request.ts";
import { ringAll, ringFirst, ringThrough } from "./pipeline/ring.ts";
import type { PluginContext } from "./plugin.ts";
import type { ProviderRegistry } from "./provider-kit/registry.ts";
import { serviceToken } from "./service-token.ts";

const silent = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const none = z.strictObject({});
const exchange = {} as Exchange;

const plugin = (name: string, setup: (context: PluginContext) => void | Promise<void>, more = {}): ResolvedPlugin => ({
  name,
  plugin: definePlugin({ name, summary: "A test plugin.", options: none, ...more, setup: (context) => setup(context) }),
  options: {},
});

const start = (
  plugins: readonly ResolvedPlugin[],
  hookDeadline = 1_000,
  kept?: Map<string, unknown>,
): Promise<Kernel> =>
  startKernel({
    plugins,
    ...(kept && { kept }),
    log: silent,
    folder: "/",
    server: { host: "127.0.0.1", port: 0 },
    hookDeadline,
    providers: () => ({}) as ProviderRegistry,
  });

describe("an alias of a path", () => {
  const aliasing = (name: string, prefix: string, meant: string, models?: string) =>
    plugin(name, ({ alias }) => alias(prefix, meant, models === undefined ? {} : { models }));

  it.each<[string, readonly ResolvedPlugin[], RegExp]>([
    ["has no slash at its end", [aliasing("one", "/vendor/v1", "/v1/")], /has to begin and to end with a slash/],
    ["stands for what has none", [aliasing("one", "/vendor/", "v1/")], /has to begin and to end with a slash/],
    ["has models behind no slash", [aliasing("one", "/vendor/", "/v1/", "of")], /has to end with a slash/],
    ["has models at the root", [aliasing("one", "/vendor/", "/v1/", "/")], /has to end with a slash/],
    ["is there already", [aliasing("one", "/a/", "/v1/"), aliasing("two", "/a/", "/v2/")], /the plugin "one" has it/],
    [
      "hides an endpoint",
      [
        aliasing("one", "/a/", "/v1/"),
        plugin("two", ({ endpoint }) => endpoint({ type: "own", method: "GET", path: "/a/own", rawBody: true })),
      ],
      /\[plugin two\] the endpoint GET \/a\/own is out of reach: the plugin "one" has \/a\//,
    ],
  ])("that %s does not start", async (_, plugins, message) => {
    await expect(start(plugins)).rejects.toThrow(message);
  });
});

describe("starting and closing", () => {
  it("closes what was opened, last first, when a later plugin fails to start", async () => {
    const closed: string[] = [];
    const opens = (name: string) => plugin(name, ({ onClose }) => onClose(() => void closed.push(name)));
    const broken = plugin("broken", () => {
      throw new Error("no such file");
    });
    await expect(start([opens("one"), opens("two"), broken, opens("three")])).rejects.toThrow(
      "[plugin broken] setup: no such file",
    );
    expect(closed).toEqual(["two", "one"]);
  });

  it("closes everything, last first, even when one closer fails", async () => {
    const closed: string[] = [];
    const kernel = await start([
      plugin("one", ({ onClose }) => onClose(() => void closed.push("one"))),
      plugin("two", ({ onClose }) => onClose(() => Promise.reject(new Error("stuck")))),
      plugin("three", ({ onClose }) => onClose(async () => void closed.push("three"))),
    ]);
    await kernel.close();
    expect(closed).toEqual(["three", "one"]);
  });

  it("tells plugins that they are in use when they are, and one that fails keeps it from nobody", async () => {
    const told: string[] = [];
    const kernel = await start([
      plugin("bad", ({ onServing }) =>
        onServing(() => {
          throw new Error("not now");
        }),
      ),
      plugin("good", ({ onServing }) => onServing(({ url }) => void told.push(url))),
    ]);
    expect(told).toEqual([]);
    kernel.serving({ url: "http://127.0.0.1:1" });
    expect(told).toEqual(["http://127.0.0.1:1"]);
    expect(silent.error).toHaveBeenCalledWith(expect.stringContaining("began to serve"), expect.anything());
    await kernel.close();
  });

  it("tells plugins once that they are to make way, and one that fails keeps it from nobody", async () => {
    const told: string[] = [];
    const kernel = await start([
      plugin("bad", ({ onLeaving }) =>
        onLeaving(() => {
          throw new Error("not yet");
        }),
      ),
      plugin("good", ({ onLeaving }) => onLeaving(() => void told.push("good"))),
    ]);
    kernel.leaving();
    kernel.leaving();
    expect(told).toEqual(["good"]);
    await kernel.close();
  });

  it("hands on what a plugin keeps to the next generation of the same gateway, to the plugin of that name", async () => {
    const token = serviceToken<{ count: number }>("counted");
    const seen: unknown[] = [];
    const counts = ({ name, kept }: PluginContext) => {
      const counted = kept(token, () => ({ count: 0 }));
      seen.push(`${name} ${++counted.count}`);
    };
    const gateway = new Map<string, unknown>();
    const generation = (kept: Map<string, unknown> | undefined) =>
      start([plugin("one", counts), plugin("two", counts)], 1_000, kept);
    for (const kept of [gateway, gateway, new Map<string, unknown>(), undefined])
      await (await generation(kept)).close();
    expect(seen).toEqual(["one 1", "two 1", "one 2", "two 2", "one 1", "two 1", "one 1", "two 1"]);
  });

  it("asks for completions.write at places that say nothing of scopes", async () => {
    const place = { type: "t", method: "GET", rawBody: true };
    const kernel = await start([
      plugin("p", ({ endpoint }) => {
        const all = [{}, { scopes: ["a.b"] }, { anyScope: ["a.b"] }, { open: true }, { errors: "management" as const }];
        for (const [at, more] of all.entries()) endpoint({ ...place, path: `/v1/${at}`, ...more });
      }),
    ]);
    expect(kernel.endpoints.map(({ scopes }) => scopes)).toEqual([
      ["completions.write"],
      ["a.b"],
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("lets nobody join in after the start", async () => {
    let late: PluginContext | undefined;
    const keeps = plugin("late", (context) => {
      late = context;
    });
    await start([keeps]);
    expect(() => late?.hooks.auth.tap("late", () => undefined)).toThrow("[plugin late] tapped auth after the start.");
  });

  it("hands a service from the plugin that provides it to the one that needs it", async () => {
    const Greeting = serviceToken<{ hello: string }>("greeting");
    let heard: string | undefined;
    await start([
      plugin("giver", (context) => context.provide(Greeting, { hello: "world" }), { provides: [Greeting] }),
      plugin(
        "taker",
        (context) => {
          heard = context.service(Greeting).hello;
        },
        { needs: [Greeting] },
      ),
    ]);
    expect(heard).toBe("world");
  });

  it("refuses a service that was not declared", async () => {
    const Greeting = serviceToken<object>("greeting");
    await expect(start([plugin("taker", (context) => void context.service(Greeting))])).rejects.toThrow(
      '[plugin taker] setup: asks for the service "greeting" without naming it in needs',
    );
    await expect(start([plugin("idler", () => undefined, { provides: [Greeting] })])).rejects.toThrow(
      'the service "greeting" is missing',
    );
  });
});

describe("failures of taps", () => {
  it("names plugin and hook of a tap that throws", async () => {
    const { hooks } = await start([
      plugin("bad", ({ hooks }) =>
        hooks.auth.tap("bad", () => {
          throw new TypeError("x is not a function");
        }),
      ),
    ]);
    expect(() => ringFirst(hooks.auth, exchange)).toThrow("[plugin bad] auth: x is not a function");
  });

  it("settles when a promise tap throws synchronously after an asynchronous one", async () => {
    const { hooks } = await start([
      plugin("slow", ({ hooks }) => hooks.auth.tapPromise("slow", () => Promise.resolve(undefined))),
      plugin("bad", ({ hooks }) =>
        hooks.auth.tapPromise("bad", () => {
          throw new Error("at once");
        }),
      ),
    ]);
    await expect(ringFirst(hooks.auth, exchange)).rejects.toMatchObject({
      code: "plugin_failed",
      details: { plugin: "bad", hook: "auth" },
    });
  });

  it("passes on an error the plugin chose itself", async () => {
    const chosen = new GatewayError("rate_limited", "Slow down.");
    const { hooks } = await start([
      plugin("limits", ({ hooks }) => hooks.auth.tapPromise("limits", () => Promise.reject(chosen))),
    ]);
    await expect(ringFirst(hooks.auth, exchange)).rejects.toBe(chosen);
  });

  it.each(["tapPromise", "tapAsync"] as const)("cuts off a %s that never settles", async (method) => {
    vi.useFakeTimers();
    const { hooks } = await start(
      [
        plugin("mute", ({ hooks }) =>
          method === "tapPromise"
            ? hooks.auth.tapPromise("mute", () => new Promise<undefined>(() => undefined))
            : hooks.auth.tapAsync("mute", () => undefined),
        ),
      ],
      50,
    );
    const answer = expect(ringFirst(hooks.auth, exchange)).rejects.toThrow(
      "[plugin mute] auth: did not settle within 50 ms",
    );
    await vi.advanceTimersByTimeAsync(50);
    await answer;
    vi.useRealTimers();
  });

  it("hears a tap that calls back twice once", async () => {
    const { hooks } = await start([
      plugin("twice", ({ hooks }) =>
        hooks.auth.tapAsync("twice", (_exchange, done) => {
          done(null, { id: "first" });
          done(null, { id: "second" });
        }),
      ),
    ]);
    expect(ringFirst(hooks.auth, exchange)).toEqual({ id: "first" });
  });
});

describe("ringing", () => {
  it("stays synchronous while the taps are", async () => {
    const { hooks } = await start([plugin("sync", ({ hooks }) => hooks.auth.tap("sync", () => ({ id: "me" })))]);
    expect(ringFirst(hooks.auth, exchange)).toEqual({ id: "me" });
  });

  it("asks no further tap once beforeRequest has an answer", async () => {
    const answer: Answer = { kind: "answer", status: 200, body: {} };
    const asked = vi.fn((request: GatewayRequest | Answer) => request);
    const { hooks } = await start([
      plugin("cache", ({ hooks }) => hooks.beforeRequest.tap("cache", () => answer)),
      plugin("later", ({ hooks }) => hooks.beforeRequest.tap("later", asked)),
    ]);
    expect(ringThrough(hooks.beforeRequest, {} as GatewayRequest, exchange)).toBe(answer);
    expect(asked).not.toHaveBeenCalled();
  });

  it("orders taps by stage, and equal stages by the config file", async () => {
    const order: string[] = [];
    const notes = (name: string, stage: number) =>
      plugin(name, ({ hooks }) => hooks.cost.tap({ name, stage }, () => void order.push(name)));
    const { hooks } = await start([notes("record", 500), notes("first", 0), notes("second", 0), notes("price", 300)]);
    await hooks.cost.promise(exchange);
    expect(order).toEqual(["first", "second", "price", "record"]);
  });
});

describe("a tap that looks at some exchanges only", () => {
  const given: Answer = { kind: "answer", status: 200 };
  const changed: Answer = { kind: "answer", status: 201 };
  const when = ({ strict }: Exchange) => strict;

  it.each<[string, (context: PluginContext) => void]>([
    ["tap", ({ hooks }) => hooks.afterRequest.tap({ name: "t", when }, () => changed)],
    ["tapAsync", ({ hooks }) => hooks.afterRequest.tapAsync({ name: "t", when }, (_, __, done) => done(null, changed))],
    ["tapPromise", ({ hooks }) => hooks.afterRequest.tapPromise({ name: "t", when }, async () => changed)],
  ])("lets all others pass (%s)", async (_, setup) => {
    const { hooks } = await start([plugin("picky", setup)]);
    expect(await ringThrough(hooks.afterRequest, given, { strict: true } as Exchange)).toBe(changed);
    expect(await ringThrough(hooks.afterRequest, given, { strict: false } as Exchange)).toBe(given);
  });

  type Noted = (exchange: Exchange) => void;
  it.each<[string, (context: PluginContext, note: Noted) => void]>([
    ["tap", ({ hooks }, note) => hooks.cost.tap({ name: "t", when }, note)],
    ["tapAsync", ({ hooks }, note) => hooks.cost.tapAsync({ name: "t", when }, (one, done) => done(void note(one)))],
    ["tapPromise", ({ hooks }, note) => hooks.cost.tapPromise({ name: "t", when }, async (one) => note(one))],
  ])("is rung at the end of those only (%s)", async (_, setup) => {
    const seen: boolean[] = [];
    const { hooks } = await start([plugin("picky", (context) => setup(context, ({ strict }) => seen.push(strict)))]);
    for (const strict of [true, false, true]) await ringAll(hooks.cost, { strict } as Exchange);
    expect(seen).toEqual([true, true]);
  });
});
