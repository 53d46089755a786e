import { describe, expect, it } from "vitest";
import type { Principal } from "../../core/index.ts";
import { refusalOf, startRouting } from "./testing.ts";

const configs = { own: { provider: "@a" }, other: { provider: "@b" } };
const holder = (defaultConfig: Principal["defaultConfig"]): Principal => ({
  id: "key",
  ...(defaultConfig && { defaultConfig }),
});
const start = () => startRouting({ options: { configs, defaultConfig: "other" } });

describe("the config of a key", () => {
  it.each<[string, Principal["defaultConfig"], string | undefined, string]>([
    ["counts where the request names none", { slug: "own", mayReplace: true }, undefined, "a"],
    ["gives way to what the request names", { slug: "own", mayReplace: true }, "other", "b"],
    ["may be named again where it may not be replaced", { slug: "own", mayReplace: false }, "own", "a"],
    ["comes before the deployment's", { slug: "own", mayReplace: false }, undefined, "a"],
    ["is the deployment's for a key without one", undefined, undefined, "b"],
    ["counts where it need not be there, and is", { slug: "own", mayReplace: true, ifThere: true }, undefined, "a"],
    ["is the deployment's where it need not be", { slug: "gone", mayReplace: true, ifThere: true }, undefined, "b"],
  ])("%s", async (_, own, config, slug) => {
    const { targets } = await (await start()).ask({ principal: holder(own), ...(config !== undefined && { config }) });
    expect(targets.map(({ provider }) => provider.slug)).toEqual([slug]);
  });

  it.each([["other"], [{ provider: "@b" }]])("that may not be replaced refuses %j", async (config) => {
    const asked = (await start()).ask({ principal: holder({ slug: "own", mayReplace: false }), config });
    const refused = await refusalOf(asked);
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining("x-gateway-config")]);
  });

  it("nobody has refuses the request", async () => {
    const asked = (await start()).ask({ principal: holder({ slug: "gone", mayReplace: true }) });
    expect((await refusalOf(asked)).message).toContain('no saved config "gone"');
  });
});
