import { describe, expect, it } from "vitest";
import { attributeFailures } from "./attribute-failures.ts";
import { createHooks } from "./hooks.ts";
import type { Principal } from "./model/exchange.ts";
import { ringFirst } from "./pipeline/ring.ts";
import { settleTap } from "./taps.ts";

type Given = Principal | undefined | Promise<Principal | undefined>;
const principal = { id: "one" } as Principal;

/** What a hook makes of a tap that gives this. */
function rung(give: () => Given) {
  const hooks = createHooks();
  attributeFailures(hooks, 1000);
  hooks.auth.tapAsync("own", (_, done) => settleTap(give(), done));
  return ringFirst(hooks.auth, {} as never);
}

describe("a tap that answers now or later", () => {
  it("gives what is at hand at once", () => {
    expect(rung(() => principal)).toBe(principal);
    expect(rung(() => undefined)).toBeUndefined();
  });

  it("gives what was promised once it is there", async () => {
    expect(await rung(() => Promise.resolve(principal))).toBe(principal);
  });

  const thrown = () => {
    throw new Error("out of order");
  };
  it.each<[string, () => Given, string]>([
    ["throws", thrown, "out of order"],
    ["rejects", () => Promise.reject(new Error("out of order")), "out of order"],
    ["rejects with nothing", () => Promise.reject(), "rejected without a reason"],
  ])("is blamed by its hook when it %s", async (_, give, reason) => {
    await expect(async () => rung(give)).rejects.toMatchObject({
      code: "plugin_failed",
      message: `[plugin own] auth: ${reason}`,
      details: { plugin: "own", hook: "auth" },
    });
  });
});
