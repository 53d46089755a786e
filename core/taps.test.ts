import { describe, expect, it } from "vitest";
import { attributeFailures } from "./attribute-failures.ts";
import { createHooks, type Hooks } from "./hooks.ts";
import type { Exchange } from "./model/exchange.ts";
import type { Principal } from "./model/principal.ts";
import { ringAll, ringFirst } from "./pipeline/ring.ts";
import { settleTap } from "./taps.ts";

type Given = Principal | undefined | Promise<Principal | undefined>;
const principal = { id: "one" } as Principal;

/** What a hook makes of a tap that gives this. */
function rung(give: () => Given) {
  const hooks = createHooks();
  attributeFailures(hooks, 1000, () => undefined);
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
    ["rejects with null", () => Promise.reject(null), "rejected without a reason"],
    ["rejects with a text", () => Promise.reject("out of order"), "out of order"],
    ["rejects with what is like an error", () => Promise.reject({ message: "out of order" }), "out of order"],
    ["rejects with an object", () => Promise.reject({ code: 7 }), "something without words was thrown"],
    ["rejects with an error without words", () => Promise.reject(new TypeError()), "TypeError"],
  ])("is blamed by its hook when it %s", async (_, give, reason) => {
    await expect(async () => rung(give)).rejects.toMatchObject({
      code: "plugin_failed",
      message: `[plugin own] auth: ${reason}`,
      details: { plugin: "own", hook: "auth" },
    });
  });
});

describe("a tap on cost that goes wrong", () => {
  it.each<[string, (hooks: Hooks) => void]>([
    ["throws", (hooks) => hooks.cost.tap("own", () => raise())],
    ["throws, asked with a callback", (hooks) => hooks.cost.tapAsync("own", () => raise())],
    ["calls back with an error", (hooks) => hooks.cost.tapAsync("own", (_, done) => done(new Error("out of order")))],
    ["rejects", (hooks) => hooks.cost.tapPromise("own", () => Promise.reject(new Error("out of order")))],
    ["does not settle", (hooks) => hooks.cost.tapAsync("own", () => undefined)],
  ])("keeps none of the others from its work when it %s", async (_, tap) => {
    const hooks = createHooks();
    const told: string[] = [];
    attributeFailures(hooks, 20, ({ message }, { id }) => told.push(`${id}: ${message}`));
    let counted = 0;
    tap(hooks);
    hooks.cost.tap("others", () => {
      counted++;
    });
    await ringAll(hooks.cost, { id: "e-1" } as Exchange);
    expect(counted).toBe(1);
    expect(told).toEqual([
      expect.stringMatching(/^e-1: \[plugin own\] cost: (?:out of order|did not settle within 20 ms)$/),
    ]);
  });
});

function raise(): never {
  throw new Error("out of order");
}

describe.each(["auth", "routeSelect", "beforeRequest", "streamChunk", "afterRequest", "cost"] as const)(
  "a tap on %s",
  (name) => {
    const request = { bytes: Buffer.from("{}"), format: "own" };
    const exchange = { id: "exchange one" };
    const sent: Record<string, unknown[]> = {
      beforeRequest: [request, exchange],
      streamChunk: [[], exchange],
      afterRequest: [{ kind: "answer", status: 200 }, exchange],
    };
    const rings = sent[name] ?? [exchange];

    /** What a tap is called with, that is made as `tap` says. */
    async function calledWith(tap: "tap" | "tapAsync" | "tapPromise", options: object): Promise<unknown[]> {
      const hooks = createHooks();
      attributeFailures(hooks, 1000, () => undefined);
      const hook = hooks[name] as unknown as Record<string, (...args: unknown[]) => unknown>;
      let given: unknown[] = [];
      hook[tap]?.({ name: "own", ...options }, (...args: unknown[]) => {
        given = args;
        if (tap === "tapAsync") (args.pop() as () => void)();
        return tap === "tapPromise" ? Promise.resolve() : undefined;
      });
      await (name === "streamChunk" ? hook.call?.(...rings) : hook.promise?.(...rings));
      return given;
    }

    const kinds = name === "streamChunk" ? (["tap"] as const) : (["tap", "tapAsync", "tapPromise"] as const);
    it.each(kinds)("is given what the hook is rung with, and no more (%s)", async (kind) => {
      expect(await calledWith(kind, {})).toEqual(rings);
    });

    it.each(kinds)("is given tapable's context before that, where it asks for one (%s)", async (kind) => {
      expect(await calledWith(kind, { context: true })).toEqual([{}, ...rings]);
    });
  },
);
