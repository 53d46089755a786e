import { describe, expect, it, onTestFinished } from "vitest";
import {
  definePlugin,
  type Route,
  type RouteChild,
  Routing,
  type RoutingContributions,
  raise,
  type Strategy,
  type Walk,
  z,
} from "../../core/index.ts";
import { defineProvider } from "../../core/provider-kit/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";

const whole: Strategy = {
  mode: "mine",
  schema: z.object({}),
  compile:
    (_, [child]) =>
    (walk) =>
      child?.route(walk) as never,
};

const offering = (more: object) =>
  definePlugin({
    name: "mine",
    summary: "Offers a strategy.",
    options: z.strictObject({}),
    needs: [Routing],
    setup: ({ service }) => service(Routing).strategy({ ...whole, ...more }),
  });

it.each<[object]>([[{ mode: undefined }], [{ schema: undefined }], [{ compile: undefined }]])(
  "a strategy with %o stops the start, and names the plugin that offers it",
  async (more) => {
    const config = { plugins: { mine: {}, routing: {} }, providers: {} };
    await expect(startGateway({ plugins: [offering(more)], config })).rejects.toThrow(
      "[plugin mine] setup: a routing strategy is { mode, schema, compile }",
    );
  },
);

const boom = () => {
  throw new Error("boom");
};
const lowerGroup = { strategy: { mode: "mine" }, targets: [{ provider: "simulator" }] };
const nested = { targets: [lowerGroup] };

/** The plugin goes by another name in the file: that is the one to be told. */
async function start(strategy: object, configs: object = {}) {
  const gateway = await startGateway({
    plugins: [offering(strategy)],
    config: {
      plugins: { theirs: { use: "mine" }, routing: { configs }, "auth-open": {}, "format-openai-chat": {} },
      providers: { simulator: {} },
    },
  });
  onTestFinished(gateway.close);
  return gateway;
}

const faults: [string, string, object][] = [
  ["schema", "boom", { schema: z.object({}).refine(boom) }],
  ["check", "boom", { check: boom }],
  ["compile", "boom", { compile: boom }],
  ["compile", "gave no function: that is one which makes a route of a walk", { compile: () => undefined }],
  ["prepare", "boom", { prepare: boom }],
];

describe("a strategy that fails when a config is read", () => {
  it.each(faults)("stops the start in its %s (%s), and names plugin and place", async (what, why, strategy) => {
    await expect(start(strategy, { nightly: nested })).rejects.toThrow(
      `[plugin theirs] the strategy "mine" at config.targets[0].strategy of the config "nightly": ${what}: ${why}`,
    );
  });

  it.each(faults.filter(([what]) => what !== "check"))(
    "is the gateway's error in its %s (%s), where a caller brings the config",
    async (what, why, strategy) => {
      const { fetch, log } = await start(strategy);
      const answer = await fetch("/v1/chat/completions", {
        headers: { "x-gateway-config": JSON.stringify(nested) },
        json: { model: "m", messages: [{ role: "user", content: "Hi" }] },
      });
      const message = `[plugin theirs] the strategy "mine" at config.targets[0].strategy: ${what}: ${why}`;
      expect([answer.status, await answer.json()]).toMatchObject([500, { message }]);
      expect(log.lines.map(({ fields }) => String(fields.error ?? ""))).toContain(`GatewayError: ${message}`);
    },
  );
});

it("a strategy that fails for a config that is kept elsewhere is told with the slug of it, each time anew", async () => {
  const compile = () => boom();
  const saved = { id: "1", slug: "nightly", version: "1", config: nested };
  const keeper = definePlugin({
    name: "keeper",
    summary: "Keeps a config.",
    options: z.strictObject({}),
    needs: [Routing],
    setup: ({ service }) => service(Routing).saved(() => saved),
  });
  const config = {
    plugins: { mine: {}, keeper: {}, routing: {}, "auth-open": {}, "format-openai-chat": {} },
    providers: { simulator: {} },
  };
  const gateway = await startGateway({ plugins: [offering({ compile }), keeper], config });
  onTestFinished(gateway.close);
  for (const _ of [1, 2]) {
    const answer = await gateway.fetch("/v1/chat/completions", {
      headers: { "x-gateway-config": "nightly" },
      json: { model: "m", messages: [{ role: "user", content: "Hi" }] },
    });
    const message =
      '[plugin mine] the strategy "mine" at config.targets[0].strategy of the config "nightly": compile: boom';
    expect([answer.status, await answer.json()]).toMatchObject([500, { message }]);
  }
});

describe("a strategy that refuses a config", () => {
  const compile = () => raise("config_invalid", "There is no such hour.", { param: "config" });

  it("stops the start with the slug of it", async () => {
    await expect(start({ compile }, { nightly: lowerGroup })).rejects.toThrow(
      /test\.yaml:\d+:\d+ plugins\.routing\.configs\.nightly: There is no such hour\.$/,
    );
  });

  it("is a 400 to the caller who brings it", async () => {
    const { fetch } = await start({ compile });
    const answer = await fetch("/v1/chat/completions", {
      headers: { "x-gateway-config": JSON.stringify(nested) },
      json: { model: "m", messages: [{ role: "user", content: "Hi" }] },
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { message: "There is no such hour." }]);
  });
});

it("a strategy may lean on what its own plugin makes ready", async () => {
  let table: object | undefined;
  const plugin = definePlugin({
    name: "mine",
    summary: "Offers a strategy.",
    options: z.strictObject({}),
    needs: [Routing],
    setup({ service, onReady }) {
      onReady(() => {
        table = {};
      });
      const compile: Strategy["compile"] = (...given) => (table ? whole.compile(...given) : boom());
      service(Routing).strategy({ ...whole, compile });
    },
  });
  const config = {
    plugins: { mine: {}, routing: { configs: { nightly: lowerGroup } }, "auth-open": {}, "format-openai-chat": {} },
    providers: { simulator: {} },
  };
  const gateway = await startGateway({ plugins: [plugin], config });
  onTestFinished(gateway.close);
});

describe("what fails while a request is walked", () => {
  const place = '[plugin theirs] the strategy "mine" at config.targets[0].strategy: ';
  const chat = { model: "m", messages: [{ role: "user", content: "Hi" }] };

  /** What a caller is told whose config has a group of the strategy below another group. */
  async function ask(plugin: Parameters<typeof offering>[0], more: (routing: RoutingContributions) => void = () => {}) {
    const mine = definePlugin({
      name: "mine",
      summary: "Brings what fails.",
      options: z.strictObject({}),
      needs: [Routing],
      setup({ service }) {
        const routing = service(Routing);
        routing.strategy({ ...whole, ...plugin });
        more(routing);
      },
    });
    const gateway = await startGateway({
      plugins: [mine],
      config: {
        plugins: {
          theirs: { use: "mine" },
          "strategy-fallback": {},
          routing: {},
          "auth-open": {},
          "format-openai-chat": {},
        },
        providers: { simulator: {} },
      },
    });
    onTestFinished(gateway.close);
    const config = { strategy: { mode: "fallback" }, targets: [lowerGroup, { provider: "simulator" }] };
    const answer = await gateway.fetch("/v1/chat/completions", {
      headers: { "x-gateway-config": JSON.stringify(config) },
      json: chat,
    });
    const log = gateway.log.lines.map(({ fields }) => String(fields.error ?? "")).filter(Boolean);
    return { status: answer.status, message: ((await answer.json()) as { message: string }).message, log };
  }

  it.each<[string, string, object]>([
    ["choosing", "walking", { compile: () => boom }],
    [
      "its first step",
      "walking",
      {
        compile: () =>
          // biome-ignore lint/correctness/useYield: what fails never comes to that.
          function* () {
            boom();
          },
      },
    ],
    [
      "a later step",
      "walking",
      {
        compile: (_: object, [child]: RouteChild[]) =>
          function* (walk: Walk) {
            yield* child?.route(walk) as Route;
            boom();
          },
      },
    ],
    ["fetching", "preparing", { prepare: () => boom }],
    ["fetching, later", "preparing", { prepare: () => () => Promise.reject(new Error("boom")) }],
  ])("is told with strategy, plugin and place: %s", async (_, what, strategy) => {
    const message = `${place}${what}: boom`;
    expect(await ask(strategy)).toEqual({ status: 500, message, log: [`GatewayError: ${message}`] });
  });

  it.each<[string, (routing: RoutingContributions) => void]>([
    ["a wrapper of leaves", (routing) => routing.leaf(boom)],
    ["a wrapper of calls", (routing) => routing.calls(boom)],
    [
      "a wrapper of calls",
      (routing) =>
        routing.calls(function* (target, _node, _walk, inner) {
          yield* inner(target);
          return boom();
        }),
    ],
    ["a gate", (routing) => routing.gate(boom)],
    ["a request of a leaf's own", (routing) => routing.request(boom)],
    ["a request of a leaf's own", (routing) => routing.request(() => ({ prepare: boom, about: boom, of: boom }))],
    [
      "a request of a leaf's own",
      (routing) => routing.request(() => ({ prepare: () => undefined, about: boom, of: boom })),
    ],
  ])("is told with its plugin: %s", async (what, add) => {
    const message = `[plugin theirs] ${what}: boom`;
    expect(await ask({}, add)).toEqual({ status: 500, message, log: [`GatewayError: ${message}`] });
  });

  it("is not told of a strategy that has only led there", async () => {
    const acme = defineProvider({
      name: "acme",
      summary: "Acme's API.",
      operations: { chat: "openai-chat" },
      authenticate: ({ baseUrl }) => (String(baseUrl).includes("elsewhere") ? boom() : {}),
    });
    const gateway = await startGateway({
      plugins: [offering({})],
      providers: [acme],
      config: {
        plugins: { mine: {}, routing: {}, "auth-open": {}, "format-openai-chat": {} },
        providers: { acme: { baseUrl: "https://here.example" } },
      },
    });
    onTestFinished(gateway.close);
    const config = {
      ...lowerGroup,
      targets: [{ provider: "acme", api_key: "k", custom_host: "https://elsewhere.example" }],
    };
    const answer = await gateway.fetch("/v1/chat/completions", {
      headers: { "x-gateway-config": JSON.stringify(config) },
      json: chat,
    });
    expect([answer.status, gateway.log.lines.map(({ fields }) => String(fields.error ?? "")).filter(Boolean)]).toEqual([
      500,
      ["Error: [provider acme] authenticate: boom"],
    ]);
  });
});
