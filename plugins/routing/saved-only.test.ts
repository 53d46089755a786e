import { describe, expect, it } from "vitest";
import { gatewayErrorBody } from "../../core/errors/error-body.ts";
import {
  definePlugin,
  type OrganisationFacts,
  Organisations,
  Routing,
  type RoutingService,
  z,
} from "../../core/index.ts";
import { refusalOf, startRouting } from "./testing.ts";

const options = {
  blockInlineConfig: true,
  configs: { "pc-one-123456": { provider: "acme", api_key: "sk", custom_host: "http://10.0.0.1/v1" } },
};
const providers = { a: {}, b: {} };

describe("where only what was saved may route", () => {
  it.each<[string, Record<string, string>]>([
    ["config", { config: '{"provider":"@a"}' }],
    ["provider", { provider: "acme" }],
    ["provider", { provider: "a" }],
    ["mode", { mode: "proxy acme" }],
    ["custom-host", { provider: "@a", "custom-host": "https://host.example/v1" }],
    ["huggingface-base-url", { provider: "@a", "huggingface-base-url": "https://host.example" }],
    ["azure-foundry-url", { "azure-foundry-url": "https://host.example" }],
    ["databricks-workspace", { "databricks-workspace": "w" }],
    ["azure-resource-name", { provider: "@a", "azure-resource-name": "mine" }],
    ["azure-endpoint-name", { "azure-endpoint-name": "mine" }],
    ["snowflake-account", { "snowflake-account": "mine" }],
    ["oracle-region", { "oracle-region": "mine" }],
    ["forward-headers", { provider: "@a", "forward-headers": "x-a" }],
  ])("refuses %s: %j", async (field, headers) => {
    const routing = await startRouting({ options, providers });
    const error = await refusalOf(routing.ask({ headers: prefixed(headers) }));
    const kind =
      { "custom-host": "custom_host", "forward-headers": "forward_headers", mode: "provider" }[field] ?? field;
    const code = `inline_${["config", "provider", "custom_host", "forward_headers"].includes(kind) ? kind : "provider_url"}_blocked`;
    expect(error.status).toBe(400);
    expect(gatewayErrorBody(error)).toEqual({
      status: "failure",
      error: { code, message: error.message, field: `x-gateway-${field}` },
      message: error.message,
    });
  });

  it("names the first violation", async () => {
    const headers = prefixed({
      "forward-headers": "x",
      "custom-host": "https://h.example",
      provider: "acme",
      config: "{}",
    });
    expect((await refusalOf((await startRouting({ options })).ask({ headers }))).code).toBe("inline_config_blocked");
  });

  it.each<[string, Record<string, string>, string, string]>([
    ["a slug", { config: "pc-one-123456" }, "m", "acme"],
    ["a stored provider", { provider: "@a" }, "m", "a"],
    ["a stored provider in front of the model", {}, "@b/m", "b"],
    ["a virtual key", { "virtual-key": "a" }, "m", "a"],
  ])("allows %s", async (_, headers, model, slug) => {
    const routing = await startRouting({ options, providers });
    const { targets } = await routing.ask({ headers: prefixed(headers), body: { model } });
    expect(targets[0]?.provider.slug).toBe(slug);
  });

  it("ignores options of providers in headers", async () => {
    const routing = await startRouting({ options: { ...options, configs: { it: { passthrough: true } } }, providers });
    const headers = prefixed({ provider: "@a", "acme-tenant": "mine", "acme-project": "mine" });
    for (const asked of [{ headers }, { headers, config: "it" }]) {
      const { targets } = await routing.ask(asked);
      expect(targets[0]?.provider).toMatchObject({ baseUrl: "https://a.example/v1", usable: true });
      expect(JSON.stringify(targets[0]?.provider)).not.toContain("mine");
    }
  });

  it("takes no provider that is not in the file from in front of a model", async () => {
    const routing = await startRouting({ options: { ...options, default: "a" }, providers });
    const headers = { authorization: "Bearer mine" };
    const { targets } = await routing.ask({ headers, body: { model: "vertex-ai/m" } });
    expect(targets).toMatchObject([{ provider: { slug: "a", headers: { authorization: "Bearer key-of-a" } } }]);
    expect(targets[0]).not.toHaveProperty("model");
  });
});

/** Organisations with settings, some of which have to be read first. */
const organisations = (blocked: Record<string, boolean>) =>
  definePlugin({
    name: "organisations",
    summary: "Settings.",
    options: z.strictObject({}),
    provides: [Organisations],
    setup({ provide }) {
      provide(Organisations, {
        home: () => Promise.reject(new Error("nobody asks")),
        workspace: () => undefined,
        workspaces: async () => [],
        logSight: async () => ({ content: true, rows: true, own: false }),
        settings(id, workspace = "") {
          const facts = { blockInlineConfig: blocked[id] ?? blocked[workspace] ?? false } as OrganisationFacts;
          return id.startsWith("read-") ? Promise.resolve(facts) : facts;
        },
        keys: () => undefined,
        made: () => undefined,
      });
    },
  });

describe("where the caller's organisation lets only what was saved route", () => {
  const more = [organisations({ strict: true, "read-strict": true, "strict-team": true })];
  const start = (blockInlineConfig = false) =>
    startRouting({
      options: { ...options, blockInlineConfig, configs: { it: { passthrough: true } } },
      providers,
      more,
    });

  it.each<[string | undefined, boolean, boolean]>([
    ["strict", false, true],
    ["read-strict", false, true],
    ["open", false, false],
    ["read-open", false, false],
    [undefined, false, false],
    ["open", true, true],
    [undefined, true, true],
    ["open of strict-team", false, true],
    ["open of team", false, false],
  ])("organisation %s, file %s: blocked %s", async (asking, file, isBlocked) => {
    const [organisation, workspace] = asking?.split(" of ") ?? [];
    const principal = {
      id: "me",
      ...(organisation !== undefined && { organisation }),
      ...(workspace !== undefined && { workspace }),
    };
    const routing = await start(file);
    const asked = routing.ask({ principal, config: { provider: "@a" } });
    if (isBlocked) expect((await refusalOf(asked)).code).toBe("inline_config_blocked");
    else expect((await asked).targets).toMatchObject([{ provider: { slug: "a" } }]);
  });

  it("is not told either whom an inline config names, as a list of models asks", async () => {
    let service: RoutingService | undefined;
    const asking = definePlugin({
      name: "asking",
      summary: "Asks whom requests name.",
      options: z.strictObject({}),
      needs: [Routing],
      setup(context) {
        service = context.service(Routing);
      },
    });
    const routing = await startRouting({ providers, more: [...more, asking] });
    const of = (organisation: string) => ({ id: "me", organisation });
    const { exchange } = await routing.select({ principal: of("open"), config: { provider: "@a" } });
    expect(await service?.named(exchange)).toMatchObject({ slugs: ["a"] });
    for (const organisation of ["strict", "read-strict"]) {
      exchange.principal = of(organisation);
      await expect(service?.named(exchange)).rejects.toMatchObject({ code: "inline_config_blocked" });
    }
  });

  it("holds for it alone, in configs of the file as well", async () => {
    const routing = await start();
    const headers = { ...prefixed({ provider: "@a", "acme-tenant": "mine" }), authorization: "Bearer my-own" };
    for (const [organisation, key] of [
      ["strict", "key-of-a"],
      ["open", "my-own"],
      ["read-strict", "key-of-a"],
    ] as const)
      for (const config of [undefined, "it"]) {
        const { targets } = await routing.ask({ principal: { id: "me", organisation }, headers, config });
        expect(targets[0]?.provider.headers).toEqual({ authorization: `Bearer ${key}` });
      }
  });
});

const prefixed = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`x-gateway-${name}`, value]));
