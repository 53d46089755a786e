import { describe, expect, it } from "vitest";
import type { BoundProvider } from "../../core/index.ts";
import { type AskInput, refusalOf, type StartInput, startRouting } from "./testing.ts";

const mine = { authorization: "Bearer mine" };
const host = { "x-gateway-custom-host": "https://host.example/v2" };

async function called(start: StartInput, asked: AskInput): Promise<BoundProvider> {
  const { targets } = await (await startRouting(start)).ask(asked);
  const [target] = targets;
  if (!target || target.refusal) throw new Error(`not called: ${target?.refusal?.message}`);
  return target.provider;
}

/** What a provider is called with: where, with which credential, and whether the address is checked. */
const shown = ({ baseUrl, headers, untrustedHost }: BoundProvider) => ({
  baseUrl,
  key: "authorization" in headers ? headers.authorization : undefined,
  untrustedHost,
});

interface Row {
  readonly it: string;
  readonly config: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly inline: readonly [baseUrl: string, key: string | undefined, untrusted: boolean] | number;
  /** Of the same config in the file; left out where it is the same. */
  readonly saved?: Row["inline"];
}

const a = "https://a.example/v1";
const api = "https://api.acme.example/v1";
const own = "https://own.example/v1";

const rows: Row[] = [
  { it: "the stored credential", config: { provider: "@a" }, inline: [a, "Bearer key-of-a", false] },
  {
    it: "the config's provider and credential, whatever the headers say",
    config: { provider: "@a" },
    headers: { ...mine, "x-gateway-provider": "@b", "x-gateway-acme-tenant": "evil" },
    inline: [a, "Bearer key-of-a", false],
  },
  {
    it: "the config's key",
    config: { provider: "acme", api_key: "sk" },
    headers: mine,
    inline: [api, "Bearer sk", false],
  },
  {
    it: "the config's key in place of the stored one",
    config: { provider: "@a", api_key: "sk" },
    inline: [a, "Bearer sk", false],
  },
  {
    it: "the config's host; of the stored key only in the file, where the operator sends it there",
    config: { provider: "@a", custom_host: own },
    inline: [own, undefined, true],
    saved: [own, "Bearer key-of-a", false],
  },
  {
    it: "the config's key for the config's host",
    config: { provider: "acme", custom_host: own, api_key: "sk" },
    inline: [own, "Bearer sk", true],
    saved: [own, "Bearer sk", false],
  },
  {
    it: "the header's host in place of the config's; a key of the file never goes there",
    config: { provider: "acme", custom_host: own, api_key: "sk" },
    headers: host,
    inline: ["https://host.example/v2", "Bearer sk", true],
    saved: ["https://host.example/v2", undefined, true],
  },
  {
    it: "the caller's key for the caller's host",
    config: { provider: "@a" },
    headers: { ...host, ...mine },
    inline: ["https://host.example/v2", "Bearer mine", true],
  },
  {
    it: "an option of the config that chooses whose host it is: the stored key goes there for the operator only",
    config: { provider: "acme", acme_tenant: "t" },
    inline: 401,
  },
  {
    it: "the same with a key beside it",
    config: { provider: "acme", acme_tenant: "t", api_key: "sk" },
    inline: ["https://t.acme.example/v1", "Bearer sk", false],
  },
  {
    it: "headers, where the config names no provider",
    config: { request_timeout: 9, acme_tenant: "t" },
    headers: { ...mine, "x-gateway-provider": "acme", "x-gateway-acme-tenant": "mine" },
    inline: ["https://mine.acme.example/v1", "Bearer mine", false],
    saved: 0,
  },
  {
    it: "no stored key for a host in a config that leaves the provider to the caller",
    config: { custom_host: own },
    headers: { "x-gateway-provider": "@a" },
    inline: [own, undefined, true],
    saved: [own, undefined, false],
  },
];

describe("who a target is called as, and where", () => {
  it.each(rows)("$it", async ({ config, headers = {}, inline, saved = inline }) => {
    const check = async (start: StartInput, asked: AskInput, expected: Row["inline"]) => {
      if (expected === 0) return;
      if (typeof expected === "number") {
        const { targets } = await (await startRouting(start)).ask(asked);
        return expect(targets[0]?.refusal?.status).toBe(expected);
      }
      const [baseUrl, key, untrustedHost] = expected;
      expect(shown(await called(start, asked))).toEqual({ baseUrl, key, untrustedHost });
    };
    await check({}, { config, headers }, inline);
    await check({ options: { configs: { it: config } } }, { config: "it", headers }, saved);
    await check({ options: { configs: { it: config }, defaultConfig: "it" } }, { headers }, saved);
  });

  it("is the same object for every request that brings nothing of its own", async () => {
    const routing = await startRouting({ options: { configs: { it: { provider: "@a", custom_host: own } } } });
    const [one, two] = [await routing.ask({ config: "it" }), await routing.ask({ config: "it" })];
    expect(one.targets[0]?.provider).toBe(two.targets[0]?.provider);
  });

  it("is never shared between callers", async () => {
    const routing = await startRouting();
    const ask = async (id: string) => {
      const config = { provider: "acme", api_key: "sk" };
      const { targets } = await routing.ask({ config, principal: { id } });
      return targets[0]?.provider;
    };
    expect(await ask("one")).toBe(await ask("one"));
    expect(await ask("one")).not.toBe(await ask("two"));
  });
});

describe("hosts a header names", () => {
  it.each(["http://2130706433", "http://0x7f.1", "http://[::ffff:10.0.0.1]", "http://a.nip.io", "http://10.0.0.1"])(
    "%s is refused before any target",
    async (custom) => {
      const config = { strategy: { mode: "fallback" }, targets: [{ provider: "@a" }, { provider: "@b" }] };
      const asked = (await startRouting()).ask({ config, headers: { "x-gateway-custom-host": custom } });
      expect(await refusalOf(asked)).toMatchObject({ code: "custom_host_invalid" });
    },
  );

  it("may be private where they are trusted", async () => {
    const config = { provider: "@a", custom_host: "http://llm.corp.example/v1" };
    const provider = await called({ trustedHosts: ["corp.example"] }, { config });
    expect(provider.baseUrl).toBe("http://llm.corp.example/v1");
  });
});

describe("which config is used", () => {
  const options = { configs: { one: { provider: "@a" }, two: { provider: "@b", request_timeout: 7 } } };
  it.each<[string, AskInput, string | undefined]>([
    ["the one the header names", { config: "one" }, "a"],
    ["the default where none is named", {}, "b"],
    ["an inline one in place of the default", { config: { provider: "@a" } }, "a"],
  ])("%s", async (_, asked, slug) => {
    const routing = await startRouting({ options: { ...options, defaultConfig: "two" } });
    const { targets } = await routing.ask(asked);
    expect(targets[0]?.provider.slug).toBe(slug);
    expect(targets[0]?.clocks).toEqual(slug === "b" ? { total: 7 } : undefined);
  });

  it("none, without a default", async () => {
    const { targets } = await (await startRouting({ options })).ask({ body: { model: "@a/m" } });
    expect(targets).toMatchObject([{ path: "config", provider: { slug: "a" }, model: "m" }]);
  });
});

it("lets strict compliance be switched off by either side, and carries forwarded headers", async () => {
  const config = {
    provider: "@a",
    strict_open_ai_compliance: false,
    forward_headers: ["X-A", { from: "X-B", to: "x-c" }],
  };
  const { targets } = await (await startRouting()).ask({ config });
  expect(targets).toMatchObject([
    {
      strict: false,
      forwardHeaders: [
        { from: "x-a", to: "x-a" },
        { from: "x-b", to: "x-c" },
      ],
    },
  ]);
});

describe("nitro mode", () => {
  const headers = { "x-gateway-nitro-mode": "true" };
  it.each<[unknown, string | undefined]>([
    [{ provider: "@a", request_timeout: 9 }, undefined],
    [{ provider: "@a", retry: { attempts: 0 } }, undefined],
    [{ provider: "@a", retry: { attempts: 1 } }, "retries"],
    [{ targets: [{ provider: "@a" }] }, "several targets"],
    [{ provider: "@a", override_params: { n: 1 } }, "override_params"],
    [{ provider: "@a", drop_params: ["n"] }, "drop_params"],
    [{ provider: "@a/m" }, "override_params"],
  ])("%j", async (config, reason) => {
    const asked = (await startRouting()).ask({ config, headers });
    if (reason === undefined) expect((await asked).targets).toHaveLength(1);
    else expect(await refusalOf(asked)).toMatchObject({ message: expect.stringContaining(reason) });
  });
});
