import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GatewayError } from "../errors/gateway-error.ts";
import { addressRules } from "../http/upstream/address-rules.ts";
import { silentLogger } from "../log.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Principal } from "../model/principal.ts";
import type { BoundProvider } from "../model/provider.ts";
import { secret } from "../secrets/secret.ts";
import type { ModelSettings, StoredProvider, StoredSettings } from "../services/stored-providers.ts";
import { defineProvider } from "./define-provider.ts";
import { providerRegistry } from "./registry.ts";

const definition = defineProvider({
  name: "cloud",
  summary: "Knows callers by a key, or by the machine they run on.",
  baseUrl: ({ region }) => `https://${region}.cloud.example`,
  options: z.strictObject({
    region: z
      .string()
      .regex(/^[a-z]+$/)
      .default("eu"),
    mode: z.enum(["key", "machine"]).default("key"),
    role: z.string().exactOptional(),
    pin: secret().exactOptional(),
    tenant: z.string().exactOptional(),
  }),
  headerOptions: { region: "cloud-region", mode: "cloud-mode", pin: "cloud-pin", tenant: "cloud-tenant" },
  configFields: { region: ["region_name"] },
  storedFields: { role: ["cloud_role"] },
  tenantOptions: ["tenant"],
  machineOptions: ["role"],
  machineValues: { mode: ["machine"] },
  lacks: ({ mode, tenant }) => (mode === "machine" && tenant === undefined ? "tenant (cloud-tenant)" : undefined),
  authenticate: ({ apiKey, mode, role }) => {
    if (apiKey) return { authorization: apiKey.reveal() };
    return mode === "machine" || role !== undefined ? { authorization: "of the machine" } : undefined;
  },
  operations: {
    chat: [
      { format: "one", path: "/one", serves: (model) => model.startsWith("one") },
      { format: "two", path: "/two", firstFor: (model) => model.startsWith("two") },
    ],
  },
});

const formats = new Map(["one", "two"].map((name) => [name, { name, operation: "chat" } as never]));

/** A registry with one stored provider, which a test changes. */
function start(first: Partial<StoredSettings> = {}) {
  const state = {
    settings: { key: "sk-1", fields: {}, machine: false, ...first } as StoredSettings | Promise<StoredSettings>,
    model: undefined as ModelSettings | undefined,
    found: undefined as Promise<StoredProvider | undefined> | undefined,
    asked: 0,
    refused: 0,
    written: 0,
  };
  const provider = (): StoredProvider => ({
    changedAt: ++state.written,
    slug: "mine",
    vendor: "cloud",
    admit: () => state.model,
    settings: () => state.settings,
    refused: () => void state.refused++,
    pricing: () => undefined,
  });
  let known = provider();
  const registry = providerRegistry({
    configured: [],
    formats,
    builtIn: new Set(["cloud"]),
    load: async () => definition,
    rules: addressRules({ trustedHosts: ["models.lan"], ownHosts: [] }),
    log: silentLogger,
    headerPrefixes: ["x-gateway-"],
    stored: {
      find(organisation, workspace, slug) {
        state.asked++;
        if (organisation !== "o" || workspace !== "w" || slug !== "mine") return undefined;
        return state.found ?? known;
      },
    },
  });
  return {
    state,
    registry,
    changed: () => {
      known = provider();
    },
    bound: async (exchange = exchangeOf(), model?: string) =>
      registry.forExchange("@mine", exchange, false, undefined, model),
  };
}

const exchangeOf = (
  headers: Readonly<Record<string, string>> = {},
  principal: Partial<Principal> = { organisation: "o", workspace: "w" },
): Exchange =>
  ({
    endpoint: { operation: "chat" },
    request: {},
    method: "POST",
    headers: {},
    gatewayHeaders: {
      get: (name: string) => headers[name],
      isEmpty: (name: string) => headers[name] === "",
      nameOf: (name: string) => name,
    },
    principal: { id: "me", ...principal },
  }) as unknown as Exchange;

const shown = ({ baseUrl, headers, untrustedHost }: BoundProvider) => ({ baseUrl, headers, untrustedHost });

const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: GatewayError) => `${error.status} ${error.code}: ${error.message}`,
  );

describe("a stored provider", () => {
  it("is bound once, and anew when it or its secrets have changed", async () => {
    const { state, bound, changed } = start();
    const first = await bound();
    expect(first).toMatchObject({ slug: "mine", name: "cloud", headers: { authorization: "sk-1" }, secrets: ["sk-1"] });
    expect(await bound()).toBe(first);
    state.settings = { key: "sk-2", fields: {}, machine: false };
    const second = await bound();
    expect(second.headers).toEqual({ authorization: "sk-2" });
    changed();
    expect(await bound()).not.toBe(second);
  });

  it("is found by its workspace only", async () => {
    const { registry } = start();
    for (const principal of [
      {},
      { organisation: "o" },
      { organisation: "o", workspace: "x" },
      { organisation: "x", workspace: "w" },
    ])
      expect(
        await refusal(Promise.resolve().then(() => registry.forExchange("@mine", exchangeOf({}, principal), false))),
      ).toMatch(/^400 provider_unknown: .*"@mine"/);
    expect(await refusal(Promise.resolve().then(() => registry.forExchange("mine", exchangeOf(), false)))).toMatch(
      /^400/,
    );
  });

  it("has its settings laid over by what a request may bring, and loses its key where that chooses the account", async () => {
    const { bound } = start({ fields: { region_name: "us", custom_headers: { "X-Api-Key": "of-a-proxy" } } });
    const usual = {
      baseUrl: "https://us.cloud.example",
      headers: { authorization: "sk-1", "x-api-key": "of-a-proxy" },
      untrustedHost: false,
    };
    expect(shown(await bound())).toEqual(usual);
    expect(shown(await bound(exchangeOf({ "cloud-region": "ap" })))).toEqual({
      ...usual,
      baseUrl: "https://ap.cloud.example",
    });
    expect(await refusal(bound(exchangeOf({ "cloud-tenant": "theirs" })))).toMatch(/^401 credential_missing/);
    expect(shown(await bound(exchangeOf({ "custom-host": "https://theirs.example" })))).toEqual({
      baseUrl: "https://theirs.example",
      headers: {},
      untrustedHost: true,
    });
    expect((await bound()).secrets).toEqual(["sk-1", "of-a-proxy"]);
  });

  it("has hosts and headers of its own, and of its models, which are checked where they are connected to", async () => {
    const { state, bound } = start({
      fields: { custom_host: "https://own.example/v1", custom_headers: { a: "1", b: "1" } },
    });
    const own = {
      baseUrl: "https://own.example/v1",
      headers: { authorization: "sk-1", a: "1", b: "1" },
      untrustedHost: true,
    };
    expect(shown(await bound())).toEqual(own);
    expect(shown(await bound(exchangeOf({ "cloud-region": "ap" })))).toEqual(own);
    const model = { host: "https://model.example", headers: { B: "2" } };
    state.model = model;
    const special = await bound();
    expect(shown(special)).toEqual({
      baseUrl: "https://model.example",
      headers: { ...own.headers, b: "2" },
      untrustedHost: true,
    });
    expect(await bound()).toBe(special);
    state.model = undefined;
    expect(shown(await bound())).toEqual(own);
  });

  it("serves a model of one's own in the formats of its base", async () => {
    const { state, bound } = start();
    const served = async () => (await bound()).operations.chat?.map(({ serves }) => serves?.("mine"));
    expect(await served()).toEqual([false, undefined]);
    state.model = { base: "one-large" };
    expect(await served()).toEqual([true, undefined]);
    const first = async () => (await bound()).operations.chat?.map(({ firstFor }) => firstFor?.("mine"));
    expect(await first()).toEqual([undefined, false]);
    state.model = { base: "two-large" };
    expect(await first()).toEqual([undefined, true]);
  });

  it.each<[string, Partial<StoredSettings>, string]>([
    [
      "an internal host",
      { fields: { custom_host: "http://10.0.0.1" } },
      "custom_host is not an address that may be called",
    ],
    ["a region that is none", { fields: { cloud_region: "x/y" } }, "cloud_region"],
    [
      "a header that may not be set",
      { fields: { custom_headers: { host: "x" } } },
      'custom_headers "host" is no header',
    ],
    [
      "the machine's mode",
      { key: undefined, fields: { cloud_mode: "machine", cloud_tenant: "t" } },
      "credentials of this machine",
    ],
    [
      "the machine's role",
      { key: undefined, fields: { cloud_role: "r" } },
      "cloud_role would use credentials of this machine",
    ],
  ])("is not called with %s", async (_, settings, says) => {
    const told = await refusal(start(settings).bound());
    expect(told).toMatch(/^403 provider_not_available/);
    expect(told).toContain(says);
    expect(told).not.toContain("sk-1");
  });

  it.each<[string, Partial<StoredSettings>]>([
    ["the machine's mode", { key: undefined, machine: true, fields: { cloud_mode: "machine", cloud_tenant: "t" } }],
    ["the machine's role", { key: undefined, machine: true, fields: { cloud_role: "r" } }],
    ["a role beside a key of its own", { fields: { cloud_role: "r" } }],
    ["an internal host that is trusted", { fields: { custom_host: "http://models.lan/v1" } }],
    ["members nobody knows", { fields: { something: { else: true }, forward_headers: ["x-a"] } }],
  ])("is called with %s, where it may", async (_, settings) => {
    expect((await start(settings).bound()).usable).toBe(true);
  });
});

describe("a secret that has to be fetched", () => {
  it("makes a provider pending, which becomes what is called", async () => {
    const { state, bound } = start();
    await bound();
    state.settings = Promise.resolve({ key: "sk-fetched", fields: {}, machine: false });
    const waiting = await bound();
    expect(waiting).toMatchObject({ slug: "mine", name: "cloud", usable: true, headers: {} });
    const ready = await waiting.pending;
    expect(ready).toMatchObject({ headers: { authorization: "sk-fetched" } });
    ready?.refused?.();
    expect(state.refused).toBe(1);
    state.settings = Promise.reject(new GatewayError("secret_unavailable", "Unable to resolve secret"));
    const failing = await bound();
    await expect(failing.pending).rejects.toMatchObject({ code: "secret_unavailable" });
  });

  it("is not blamed for what a caller brought", async () => {
    const { state, bound } = start();
    const theirs = await bound(exchangeOf({ "custom-host": "https://theirs.example" }));
    theirs.refused?.();
    expect(state.refused).toBe(0);
  });
});

describe("a provider that is loaded for a request", () => {
  it("stays the same for all of it, whatever changes meanwhile", async () => {
    const { state, registry, changed } = start();
    const exchange = exchangeOf();
    await registry.load("@mine", exchange);
    const first = registry.forExchange("@mine", exchange, false);
    expect(first).not.toBeInstanceOf(Promise);
    changed();
    state.found = new Promise(() => undefined);
    expect(registry.forExchange("@mine", exchange, false)).toBe(first);
    expect(state.asked).toBe(1);
    expect(registry.forExchange("@mine", exchangeOf(), false)).toBeInstanceOf(Promise);
  });

  it("is marked by what it is, and since when that is so", async () => {
    const { state, registry, changed } = start();
    const [first, second, third] = [exchangeOf(), exchangeOf(), exchangeOf()];
    await registry.load("@mine", first);
    changed();
    await registry.load("@mine", second);
    const [before, after] = [registry.mark("mine", first), registry.mark("mine", second)];
    expect([before?.changedAt, after]).toEqual([1, { text: before?.text, changedAt: 2 }]);
    state.settings = { key: "sk-2", fields: {}, machine: false };
    expect(registry.mark("mine", second)?.text).not.toBe(before?.text);
    expect(registry.mark("mine", third)).toBeUndefined();
  });

  it("says what was wrong with it when it is asked for", async () => {
    const { state, registry } = start();
    const exchange = exchangeOf();
    state.found = Promise.reject(new GatewayError("store_unavailable", "The store does not answer."));
    await registry.load("@mine", exchange);
    state.found = undefined;
    expect(() => registry.forExchange("@mine", exchange, false)).toThrow("The store does not answer.");
    state.found = Promise.resolve({ ...stranger, slug: "mine" });
    const other = exchangeOf();
    await registry.load("@mine", other);
    expect(() => registry.forExchange("@mine", other, false)).toThrow('no provider "fog"');
    state.found = undefined;
    expect(registry.load("@nobody", exchange)).toBeUndefined();
    expect(() => registry.forExchange("@nobody", exchange, false)).toThrow('no stored provider "@nobody"');
  });
});

/** Of a vendor that was there when it was kept. */
const stranger: StoredProvider = {
  slug: "stranger",
  vendor: "fog",
  admit: () => undefined,
  settings: () => ({ key: "k", fields: {}, machine: false }),
  refused: () => undefined,
  pricing: () => undefined,
};

describe("settings that are to be kept", () => {
  const given = (more: Partial<StoredSettings>) => ({ key: undefined, fields: {}, machine: false, ...more });
  it.each<[string, string, Partial<StoredSettings>, string[], string[]]>([
    ["are fine", "cloud", { key: "k" }, [], []],
    ["of a vendor nobody knows", "fog", { key: "k" }, [], ["ai_provider_id"]],
    ["without a key", "cloud", {}, [], ["key"]],
    [
      "without a key, at a host that may want none",
      "cloud",
      { fields: { custom_host: "https://own.example" } },
      [],
      [],
    ],
    ["whose key comes later", "cloud", {}, ["key"], []],
    ["without what a mode needs", "cloud", { machine: true, fields: { cloud_mode: "machine" } }, [], ["cloud_tenant"]],
    ["of a wrong type", "cloud", { key: "k", fields: { cloud_region: 5 } }, [], ["cloud_region"]],
    ["of a wrong type that comes later", "cloud", { key: "k", fields: { cloud_region: 5 } }, ["cloud_region"], []],
    [
      "with headers of a wrong type",
      "cloud",
      { key: "k", fields: { custom_headers: { a: 5 } } },
      [],
      ["custom_headers.a"],
    ],
  ])("%s", async (_, vendor, settings, later, fields) => {
    const { problems } = await start().registry.judge(vendor, given(settings), later);
    expect(problems.map(({ field }) => field)).toEqual(fields);
  });

  it("say which of them are secrets", async () => {
    expect((await start().registry.judge("cloud", given({ key: "k" }), [])).secrets).toEqual(["cloud_pin"]);
  });
});
