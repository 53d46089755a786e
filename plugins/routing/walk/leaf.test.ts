import { describe, expect, it } from "vitest";
import { startRouting } from "../testing.ts";

interface Row {
  readonly it: string;
  readonly config: unknown;
  readonly headers?: Record<string, string>;
  readonly model?: string;
  /** The provider's slug and the model it is asked for; a status where the target is refused. */
  readonly to: readonly [string, string | undefined] | number;
  readonly saved?: true;
}

const provider = (name: string) => ({ "x-gateway-provider": name });
const mine = { authorization: "Bearer mine" };

const rows: Row[] = [
  { it: "1: virtual_key", config: { virtual_key: "a", provider: "@b" }, to: ["a", undefined] },
  { it: "1: virtual_key with @", config: { virtual_key: "@a" }, to: ["a", undefined] },
  { it: "2: a stored provider", config: { provider: "@a" }, to: ["a", undefined] },
  { it: "2: with its model", config: { provider: "@a/org/m-1" }, to: ["a", "org/m-1"] },
  {
    it: "2: what stands beside it beats its model",
    config: { provider: "@a/m-1", override_params: { model: "m-2" } },
    to: ["a", "m-2"],
  },
  {
    it: "2: its model beats what ancestors say",
    config: { override_params: { model: "m-0" }, targets: [{ provider: "@a/m-1" }] },
    to: ["a", "m-1"],
  },
  {
    it: "2: and a model whose own name begins with an @",
    config: { provider: "@a" },
    model: "@cf/org/m-1",
    to: ["a", undefined],
  },
  {
    it: "2: also where the config says it",
    config: { provider: "@a", override_params: { model: "@hf/org/m-1" } },
    to: ["a", "@hf/org/m-1"],
  },
  { it: "2: a plain name with a key", config: { provider: "acme", api_key: "k" }, to: ["acme", undefined] },
  { it: "2: a plain name of the file", config: { provider: "a" }, to: ["a", undefined] },
  { it: "2: a plain name without a key", config: { provider: "acme" }, to: 401 },
  { it: "2: the caller's key is for whom the caller names", config: { provider: "acme" }, headers: mine, to: 401 },
  { it: "3: in front of the model", config: { override_params: { model: "@b/m-1" } }, to: ["b", "m-1"] },
  {
    it: "3: inherited",
    config: { override_params: { model: "@b/m-1" }, targets: [{ weight: 1 }] },
    headers: provider("@a"),
    to: ["b", "m-1"],
  },
  { it: "a slug nobody has", config: { provider: "@none" }, to: 400 },
  { it: "a virtual key nobody has", config: { virtual_key: "none" }, to: 400 },
  { it: "another slug in front of the model", config: { provider: "@a" }, model: "@b/m-9", to: ["a", "m-9"] },
  {
    it: "another slug in front of an override",
    config: { provider: "@a", override_params: { model: "@b/m-9" } },
    to: ["a", "m-9"],
  },
  { it: "4: the header with @", config: { passthrough: true }, headers: provider("@a"), to: ["a", undefined] },
  { it: "4: the model", config: { passthrough: true }, model: "@b/m-1", to: ["b", "m-1"] },
  {
    it: "4: the header beats the model, whose prefix goes",
    config: { passthrough: true },
    headers: provider("@a"),
    model: "@b/m-1",
    to: ["a", "m-1"],
  },
  {
    it: "4: a plain name with a credential",
    config: { passthrough: true },
    headers: { ...provider("acme"), ...mine },
    to: ["acme", undefined],
  },
  { it: "4: nothing", config: { passthrough: true }, to: 400 },
  {
    it: "4: an override changes the model, not the provider",
    config: { passthrough: true, override_params: { model: "@b/m-2" } },
    headers: provider("@a"),
    to: ["a", "m-2"],
  },
  { it: "6: the header", config: { request_timeout: 9 }, headers: provider("@a"), to: ["a", undefined] },
  {
    it: "6: the header, and a model whose own name begins with an @",
    config: { request_timeout: 9 },
    headers: { ...provider("acme"), ...mine },
    model: "@cf/org/m-1",
    to: ["acme", undefined],
  },
  {
    it: "6: nothing but a model whose own name begins with an @",
    config: { request_timeout: 9 },
    model: "@cf/o/m",
    to: 400,
  },
  { it: "6: a slug in front of it", config: { request_timeout: 9 }, model: "@b/@cf/o/m", to: ["b", "@cf/o/m"] },
  { it: "6: a slug that reads like it", config: { request_timeout: 9 }, model: "@cf/m", to: 400 },
  { it: "6: the model", config: { request_timeout: 9 }, model: "@b/m-1", to: ["b", "m-1"] },
  { it: "6: a name in front of the model", config: { request_timeout: 9 }, model: "b/m-1", to: ["b", "m-1"] },
  { it: "6: nothing", config: { request_timeout: 9 }, to: 400 },
  {
    it: "6: the request's provider, the config's model",
    config: { override_params: { model: "m-2" } },
    model: "@b/m-1",
    to: ["b", "m-2"],
  },
  {
    it: "6: a name in front of the config's model",
    config: { override_params: { model: "b/m-2" } },
    to: ["b", "m-2"],
  },
  { it: "6: a default model", config: { default_params: { model: "@b/m-3" }, provider: "@a" }, to: ["a", undefined] },
];

describe("who a leaf calls", () => {
  it.each(rows)("$it", async ({ config, headers = {}, model = "m", to }) => {
    const { targets } = await (await startRouting()).ask({ config, headers, body: { model } });
    expect(targets).toHaveLength(1);
    const [target] = targets;
    if (typeof to === "number") expect(target?.refusal?.status).toBe(to);
    else {
      expect(target?.refusal?.message).toBeUndefined();
      expect([target?.provider.slug, target?.model]).toEqual(to);
    }
  });

  it("is loaded before the walk begins", async () => {
    const routing = await startRouting({ providers: {} });
    const config = {
      strategy: { mode: "fallback" },
      targets: [{ provider: "acme", api_key: "k" }, { passthrough: true }],
    };
    const headers = { ...provider("vertex-ai"), ...mine };
    const { targets } = await routing.ask({ config, headers, statuses: [500] });
    expect(targets.map(({ provider: { slug, headers: own } }) => [slug, own])).toEqual([
      ["acme", { authorization: "Bearer k" }],
      ["vertex-ai", { authorization: "Bearer mine" }],
    ]);
  });

  it("takes the default model where a request names none, without its slug", async () => {
    const config = { provider: "@a", default_params: { model: "@b/m-3" } };
    const { targets } = await (await startRouting()).ask({ config, body: { messages: [] } });
    expect(targets).toMatchObject([{ model: "m-3", shape: { defaults: { model: "@b/m-3" } } }]);
  });

  it("takes the default model of the provider header where neither a request nor the config names one", async () => {
    const routing = await startRouting();
    const asked = async (config: unknown) =>
      (await routing.ask({ config, headers: provider("@b/m-8"), body: { messages: [] } })).targets;
    expect(await asked({ passthrough: true })).toMatchObject([{ provider: { slug: "b" }, model: "m-8" }]);
    for (const params of [{ default_params: { model: "m-3" } }, { override_params: { model: "m-3" } }])
      expect(await asked({ passthrough: true, ...params })).toMatchObject([{ provider: { slug: "b" }, model: "m-3" }]);
  });

  it("is named in front of the default model where a request names neither", async () => {
    const routing = await startRouting();
    for (const model of ["@b/m-3", "b/m-3"]) {
      const { targets } = await routing.ask({ config: { default_params: { model } }, body: { messages: [] } });
      expect(targets).toMatchObject([{ provider: { slug: "b" }, model: "m-3" }]);
    }
  });

  it("goes by the rules of the file for the model in the end", async () => {
    const routing = await startRouting({ options: { models: { "x-*": "b" }, default: "a" } });
    const asked = async (config: unknown) => (await routing.ask({ config })).targets[0]?.provider.slug;
    expect(await asked({ request_timeout: 9 })).toBe("a");
    expect(await asked({ override_params: { model: "x-1" } })).toBe("b");
  });

  it("falls back from a leaf that cannot be called (a passthrough, a slug nobody has)", async () => {
    const house = { provider: "@b", override_params: { model: "house-1" } };
    const config = { strategy: { mode: "fallback" }, targets: [{ passthrough: true }, { provider: "@none" }, house] };
    const { targets, exchange } = await (await startRouting()).ask({ config });
    expect(targets.map(({ path, refusal, model }) => [path, refusal?.code, model])).toEqual([
      ["config.targets[0]", "provider_missing", undefined],
      ["config.targets[1]", "provider_unknown", undefined],
      ["config.targets[2]", undefined, "house-1"],
    ]);
    expect(exchange.routeNotes).toEqual([
      { path: "config.targets[0]", message: expect.stringContaining("cannot be called: This target takes") },
      { path: "config.targets[1]", message: expect.stringContaining('no stored provider "@none"') },
      { path: "config.targets[2]", message: "provider @b, named here" },
    ]);
  });
});
