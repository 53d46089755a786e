import { describe, expect, it } from "vitest";
import { errorsOf, refusalOf, startRouting } from "../testing.ts";

const many = (count: number, target: unknown = { provider: "@a" }) => Array.from({ length: count }, () => target);

describe("the invalid configs of the reference", () => {
  it.each([
    [
      { strategy: { mode: "round_robin" }, targets: [{ provider: "@a" }] },
      "path: strategy.mode, message: must be one of single, loadbalance, fallback, conditional",
    ],
    [{ retry: { on_status_codes: [429] } }, "path: retry.attempts, message: required"],
    [{ cache: { mode: "exact" } }, "path: cache.mode, message: must be one of simple, semantic"],
    [
      { provider: "opneai", api_key: "k" },
      'path: provider, message: "opneai" is not a known provider; stored ones are written @slug',
    ],
    [
      { provider: "acme", custom_host: "http://169.254.169.254/v1", api_key: "k" },
      "path: custom_host, message: is not a URL that may be called",
    ],
    [
      { provider: "vertex-ai", api_key: "t" },
      "path: root, message: vertex-ai needs vertex_region and vertex_project_id or vertex_service_account_json",
    ],
    [
      { forward_headers: ["x-gateway-forward-headers"] },
      'path: forward_headers, message: the header "x-gateway-forward-headers" cannot be forwarded',
    ],
  ])("%j: %s", async (config, line) => {
    const error = await refusalOf((await startRouting()).ask({ config }));
    expect(error).toMatchObject({ code: "config_invalid", message: "The routing config is not valid" });
    expect(errorsOf(error)).toEqual([line]);
  });

  it.each([
    ['{provider:"openai"}', "not valid JSON"],
    ["gone", 'There is no saved config "gone" here.'],
    ['{"options":[{"provider":"openai"}]}', "retired format"],
    [
      { strategy: { mode: "fallback" }, targets: many(101) },
      "targets has 101 targets at the root; at most 100 are allowed (MAX_ROOT_CONFIG_TARGETS)",
    ],
  ])("%.60j: %s", async (config, text) => {
    const error = await refusalOf((await startRouting()).ask({ config }));
    expect(error).toMatchObject({ code: "config_invalid", message: expect.stringContaining(text) });
  });

  it.each([
    '[{"api_key":"k"}]',
    "%7B%22api_key%22%3A%22k%22%7D",
    "eyJwcm92aWRlciI6Im9wZW5haSIsImFwaV9rZXkiOiJzay0xMjM0NTY3ODkwYWJjZGVmIn0=",
  ])("does not repeat what can be no slug, and may hold credentials: %s", async (config) => {
    const error = await refusalOf((await startRouting()).ask({ config }));
    const message = 'x-gateway-config is neither the slug of a saved config nor JSON, which begins with "{".';
    expect(error).toMatchObject({ code: "config_invalid", message });
  });

  it("tells every mistake at once, with its path", async () => {
    const config = {
      retry: {},
      strategy: { mode: "fallback" },
      targets: [{ provider: "@a", weight: -1 }, { provider: 7 }],
    };
    expect(errorsOf(await refusalOf((await startRouting()).ask({ config })))).toEqual([
      "path: retry.attempts, message: required",
      "path: targets.0.weight, message: must be 0 or more",
      "path: targets.1.provider, message: must be text",
    ]);
  });
});

describe("the rules for configs of callers", () => {
  const group = (mode: string, ...targets: unknown[]) => ({ strategy: { mode }, targets });
  it.each<[string, unknown, string[]]>([
    ["3: a strategy needs targets", { strategy: { mode: "fallback" } }, ["targets, message: required"]],
    ["3: targets are at least one", { targets: [] }, ["targets, message: must have at least 1 entry"]],
    [
      "3: a strategy needs a mode",
      { strategy: {}, targets: [{ provider: "@a" }] },
      ["strategy.mode, message: required"],
    ],
    ["1: a node is an object", { targets: ["@a"] }, ["targets.0, message: must be an object"]],
    [
      "9: status codes have a range",
      { ...group("fallback", { provider: "@a" }), on_status_codes: [42] },
      ["on_status_codes.0, message: must be a status code from 100 to 599"],
    ],
    ["10: weights", { targets: [{ provider: "@a", weight: -0.5 }] }, ["targets.0.weight, message: must be 0 or more"]],
    ["11: timeouts are whole", { request_timeout: 1.5 }, ["request_timeout, message: must be a whole number"]],
    ["11: timeouts are positive", { request_timeout: 0 }, ["request_timeout, message: must be more than 0"]],
    [
      "12: private hosts are refused",
      { provider: "@a", custom_host: "http://10.0.0.1/v1" },
      ["custom_host, message: is not a URL that may be called"],
    ],
    [
      "13: forwarded under another name",
      { forward_headers: [{ from: "x-a", to: "Host" }] },
      ['forward_headers, message: the header "host" cannot be forwarded'],
    ],
    [
      "13: the credential of the gateway",
      { forward_headers: ["X-Gateway-Api-Key"] },
      ['forward_headers, message: the header "x-gateway-api-key" cannot be forwarded'],
    ],
    [
      "13: what is no name",
      { forward_headers: ["x y", { from: "x-a", to: "x:b" }] },
      [
        "forward_headers.0, message: must be the name of a header or an object",
        "forward_headers.1.to, message: must be the name of a header",
      ],
    ],
    [
      "17: passthrough excludes a provider",
      { targets: [{ passthrough: true, provider: "@a", api_key: "k" }] },
      [
        "targets.0.provider, message: cannot stand beside passthrough",
        "targets.0.api_key, message: cannot stand beside passthrough",
      ],
    ],
    [
      "17: passthrough at the root excludes targets",
      { passthrough: true, targets: [{ provider: "@a" }] },
      ["strategy, message: cannot stand beside passthrough", "targets, message: cannot stand beside passthrough"],
    ],
    ["19: something is said", {}, ["root, message: has no field that is known"]],
    ["19: in every node", { targets: [{ unheard: 1 }] }, ["targets.0, message: has no field that is known"]],
    [
      "paths to drop",
      { drop_params: ["a..b"] },
      ["drop_params.0, message: must be a path such as logprobs or tools[*].function.strict"],
    ],
  ])("%s", async (_, config, lines) => {
    const error = await refusalOf((await startRouting()).ask({ config }));
    expect(errorsOf(error)).toEqual(lines.map((line) => `path: ${line}`));
  });

  it.each<[string, unknown]>([
    ["targets alone are mode single", { targets: [{ provider: "@a" }] }],
    ["status codes may be text", { ...group("fallback", { provider: "@a" }), on_status_codes: ["429"] }],
    ["a bare cache mode", { cache: "simple", provider: "@a" }],
    ["keys nobody knows are ignored", { provider: "@a", unheard: 1, retry: { attempts: 1, unheard: 2 } }],
    ["also inside unions", { provider: "@a", cache: { mode: "simple", unheard: { deep: 1 } } }],
    ["options of another provider are ignored", { provider: "@a", azure_region: "eu" }],
    ["mistakes only a walk meets", { ...group("conditional", { name: "x", provider: "@a" }) }],
    ["passthrough with shaping", { passthrough: true, override_params: { model: "x" } }],
    ["a field without an effect", { provider: "@a", allow_subdomain: true }],
  ])("accept: %s", async (_, config) => {
    const asked = (await startRouting()).select({ config });
    await expect(asked).resolves.toMatchObject({ route: expect.anything() });
  });

  it("refuse fields of the reference that no loaded plugin knows", async () => {
    const routing = await startRouting({ withoutOthers: true });
    const config = {
      retry: { attempts: 1 },
      inputGuardrails: ["pg-x"],
      strategy: { mode: "loadbalance" },
      targets: [{ provider: "@a" }, { strategy: { mode: "single", cb_config: {} }, targets: [{ provider: "@a" }] }],
    };
    expect(errorsOf(await refusalOf(routing.ask({ config })))).toEqual([
      "path: retry, message: no plugin that is loaded here knows this field",
      "path: input_guardrails, message: no plugin that is loaded here knows this field",
      "path: targets.1.strategy.cb_config, message: no plugin that is loaded here knows this field",
      "path: strategy.mode, message: no plugin that is loaded here provides this mode",
    ]);
  });

  it("end what is nested to exhaust", async () => {
    const config = `{"override_params":{"x":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`;
    expect(await refusalOf((await startRouting()).ask({ config }))).toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("too deeply"),
    });
  });

  it("read UTF-8, which arrives as Latin-1", async () => {
    const written = JSON.stringify({ provider: "@a", override_params: { user: "Zoë ☃" } });
    for (const config of [Buffer.from(written).toString("latin1"), written.replace(" ☃", "")]) {
      const { targets } = await (await startRouting()).ask({ config });
      expect(targets[0]?.shape?.overrides?.user).toMatch(/^Zoë/);
    }
  });

  it("never repeat what may be a credential", async () => {
    const routing = await startRouting();
    for (const config of [
      '{"provider":"acme","api_key":sk-secret}',
      { provider: "acme", api_key: { k: "sk-secret" } },
    ]) {
      const error = await refusalOf(routing.ask({ config }));
      expect(JSON.stringify([error.message, errorsOf(error)])).not.toContain("sk-secret");
    }
  });
});

describe("the rules for configs of the file", () => {
  const startWith = (configs: unknown, more: object = {}) => startRouting({ options: { configs, ...more } });

  it("stop the start with every mistake of every config", async () => {
    const started = startWith({
      one: { provider: "@nobody", unheard: 1, retry: { attempts: 1, atempts: 2 } },
      two: {
        strategy: { mode: "conditional", default: "missing", unheard: true },
        targets: [{ name: "x", provider: "acme", acme_project: "p", azure_region: "eu", weight: "heavy" }],
      },
      three: { options: [] },
      four: { api_key: "sk-1", override_params: { model: "@nobody/m" } },
      five: { strategy: { mode: "conditional", default: "y" }, targets: [{ name: "x", virtual_key: "nobody" }] },
    });
    await expect(started).rejects.toThrow(
      [
        "configs.one.unheard: is not known",
        'configs.one.retry.atempts: is not known; did you mean "attempts"?',
        'configs.one.provider: names the stored provider "@nobody", which the config file does not have',
        "configs.two.targets[0].azure_region: is not known",
        "configs.two.targets[0].weight: must be a number",
        "configs.two.strategy.unheard: is not known",
        "configs.two.strategy.default: names no target",
        "configs.three.options: is a retired format: write strategy and targets instead",
        "configs.four.api_key: needs the provider it is for beside it",
        'configs.four.override_params.model: names the stored provider "@nobody", which the config file does not have',
        'configs.five.targets[0].virtual_key: names the stored provider "@nobody", which the config file does not have',
        "configs.five.strategy.default: names no target",
      ]
        .map((line) => `[plugin routing] ${line}`)
        .join("\n"),
    );
  });

  it("know a default that is not there", async () => {
    await expect(startWith({}, { defaultConfig: "none" })).rejects.toThrow('defaultConfig: names the config "none"');
  });

  it("take a host of the operator's as it is", async () => {
    const routing = await startWith({ own: { provider: "@a", custom_host: "http://10.0.0.1:8000/v1" } });
    const { targets } = await routing.ask({ config: "own" });
    expect(targets[0]?.provider).toMatchObject({ baseUrl: "http://10.0.0.1:8000/v1", untrustedHost: false });
  });

  it("refuse what is no address", async () => {
    await expect(startWith({ own: { provider: "@a", custom_host: "ftp://files" } })).rejects.toThrow("custom_host");
  });
});

it("answers 400 to a slug it does not have", async () => {
  const error = await refusalOf((await startRouting()).ask({ config: "pc-none-123456" }));
  expect(error).toMatchObject({ status: 400, message: expect.stringContaining("pc-none-123456") });
});
