import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import retry from "../retry/index.ts";
import { type AskInput, errorsOf, refusalOf, startRouting } from "../routing/testing.ts";
import conditional from "../strategy-conditional/index.ts";
import fallback from "../strategy-fallback/index.ts";
import loadbalance from "../strategy-loadbalance/index.ts";
import breaker from "./index.ts";

const breaks = { failure_threshold: 1, cooldown_interval: 30_000 };
const slugs = ["a", "b", "c"];
const [a, b, c] = slugs.map((slug) => ({ provider: `@${slug}` }));
const group = (mode: string, targets: unknown[], more: object = {}) => ({ strategy: { mode, ...more }, targets });
const fallbackOf = (...targets: unknown[]) => group("fallback", targets, { cb_config: breaks });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
});

/** A routing plugin whose configs have breakers. */
async function start(configs: object = {}) {
  const routing = await startRouting({
    withoutOthers: true,
    more: [fallback, loadbalance, conditional, retry, breaker],
    providers: Object.fromEntries(slugs.map((slug) => [slug, {}])),
    options: { configs },
  });
  /** Which targets are called when each in turn answers so, and what the client is told of those left out. */
  return async (config: unknown, statuses: readonly number[], more: AskInput = {}) => {
    const { targets, exchange } = await routing.ask({ config, statuses, ...more });
    const notes = exchange.routeNotes?.map(({ path, message }) => `${path} ${message}`) ?? [];
    return { called: targets.map(({ path }) => path), out: exchange.told?.["circuit-open"], notes };
  };
}

const at = (...indexes: number[]) => indexes.map((index) => `config.targets[${index}]`);

describe("section 20.9", () => {
  const config = group("fallback", [a, b], {
    cb_config: { failure_threshold: 3, cooldown_interval: 30_000, failure_status_codes: [429, 500, 503] },
  });

  it.each([
    ["inline", config],
    ["by name", "saved"],
  ])("holds %s", async (_, asked) => {
    const ask = await start({ saved: config });
    for (let request = 1; request <= 3; request++)
      expect(await ask(asked, [503, 200])).toMatchObject({ called: at(0, 1), out: undefined });
    vi.advanceTimersByTime(1_000);
    // The path is that of the config as written, whoever was left out (row 32).
    const fourth = await ask(asked, [200]);
    expect(fourth).toMatchObject({ called: at(1), out: "config.targets[0]" });
    expect(fourth.notes).toContain("config.targets[0] is left out: its circuit is open");
    for (let request = 1; request <= 3; request++) await ask(asked, [500]);
    // Both are open: all are used as written (row 33).
    expect(await ask(asked, [503, 503])).toMatchObject({ called: at(0, 1), out: undefined });
    vi.advanceTimersByTime(28_999);
    expect((await ask(asked, [503, 200])).called).toEqual(at(0, 1));
    vi.advanceTimersByTime(1);
    // The first is closed, with nothing counted; the second is still open.
    for (let request = 1; request <= 2; request++)
      expect(await ask(asked, [503])).toMatchObject({ called: at(0), out: "config.targets[1]" });
    expect((await ask(asked, [200])).called).toEqual(at(0));
  });
});

describe("what is left out", () => {
  it("of a single target, so that the next one is it", async () => {
    const ask = await start();
    const config = group("single", [a, b], { cb_config: breaks });
    expect((await ask(config, [500])).called).toEqual(at(0));
    expect(await ask(config, [200])).toMatchObject({ called: at(1), out: "config.targets[0]" });
  });

  it("of a load balancer, whose weights are those of the rest", async () => {
    const ask = await start();
    const config = group(
      "loadbalance",
      [
        { ...a, weight: 1e9 },
        { ...b, weight: 0 },
        { ...c, weight: 1e-9 },
      ],
      {
        cb_config: breaks,
      },
    );
    expect((await ask(config, [500])).called).toEqual(at(0));
    expect(await ask(config, [500])).toMatchObject({ called: at(2), out: "config.targets[0]" });
    // What is left has no weight: all are used.
    expect((await ask(config, [500])).called).toEqual(at(0));
  });

  it("is a group when all its leaves are", async () => {
    const ask = await start();
    const config = fallbackOf(group("fallback", [a, b]), c);
    const inner = (index: number) => `config.targets[0].targets[${index}]`;
    expect((await ask(config, [500, 200])).called).toEqual([inner(0), inner(1)]);
    expect(await ask(config, [500, 200])).toMatchObject({ called: [inner(1), ...at(1)], out: inner(0) });
    expect(await ask(config, [200])).toMatchObject({ called: at(1), out: "config.targets[0]" });
  });

  it("is nothing of a condition's, but of groups below it", async () => {
    const ask = await start();
    const toC = `{"mode":"conditional","conditions":[{"query":{"metadata.to":"c"},"then":"c"}],"default":"below"}`;
    const below = { name: "below", ...group("fallback", [a, b]) };
    const config = {
      cb_config: breaks,
      strategy: JSON.parse(toC),
      targets: [below, { name: "c", ...c }],
    };
    for (let request = 0; request < 2; request++)
      expect(await ask(config, [500], { metadata: { to: "c" } })).toMatchObject({ called: at(1), out: undefined });
    expect((await ask(config, [500, 200])).called).toHaveLength(2);
    expect((await ask(config, [200])).called).toEqual(["config.targets[0].targets[1]"]);
  });

  it("is never the only leaf there is", async () => {
    const ask = await start();
    for (let request = 0; request < 3; request++)
      expect(await ask({ ...a, cb_config: breaks }, [500])).toMatchObject({ called: ["config"], out: undefined });
  });

  it("is several at once, in the order of the config", async () => {
    const ask = await start();
    const config = fallbackOf(a, b, c);
    await ask(config, [500, 500, 200]);
    expect(await ask(config, [200])).toMatchObject({ called: at(2), out: at(0, 1).join(",") });
  });
});

describe("a breaker", () => {
  it("is inherited from the nearest, and absent where nobody says anything", async () => {
    const ask = await start();
    const near = { ...b, cb_config: { ...breaks, failure_threshold: 2 } };
    const config = fallbackOf(a, near, c);
    expect((await ask(config, [500, 500, 200])).called).toEqual(at(0, 1, 2));
    expect((await ask(config, [500, 200])).called).toEqual(at(1, 2));
    expect((await ask(config, [200])).called).toEqual(at(2));
    const without = group("fallback", [{ ...a, cb_config: breaks }, b]);
    for (let request = 0; request < 3; request++) await ask(without, [500, 500]);
    expect((await ask(without, [500])).called).toEqual(at(1));
  });

  it("judges a leaf by how it ended, after its retries", async () => {
    const ask = await start();
    const config = fallbackOf({ ...a, retry: { attempts: 1 } }, b);
    expect((await ask(config, [503, 200])).called).toEqual(at(0, 0));
    expect((await ask(config, [503, 503, 200])).called).toEqual(at(0, 0, 1));
    expect((await ask(config, [200])).called).toEqual(at(1));
  });

  it("keeps configs and workspaces apart, and brings together who belongs to none", async () => {
    const ask = await start();
    const config = fallbackOf(a, b);
    const of = (id: string, workspace?: string) => ({ principal: { id, ...(workspace && { workspace }) } });
    await ask(config, [500, 200], of("x", "one"));
    expect((await ask(config, [200], of("y", "one"))).called).toEqual(at(1));
    expect((await ask(config, [500, 200], of("x", "two"))).called).toEqual(at(0, 1));
    expect((await ask(config, [500, 200], of("x"))).called).toEqual(at(0, 1));
    expect((await ask(config, [200], of("y"))).called).toEqual(at(1));
    expect((await ask(fallbackOf(a, c), [200], of("x"))).called).toEqual(at(0));
  });

  it("is not opened by who is sent elsewhere by a header of theirs", async () => {
    const ask = await start();
    const config = fallbackOf(a, b);
    await ask(config, [500, 200], { headers: { "x-gateway-custom-host": "https://else.example/v1" } });
    expect((await ask(config, [200])).called).toEqual(at(0));
  });

  it("lets as many probes through as it is told, half open", async () => {
    const ask = await start();
    const config = group("fallback", [a, b], { cb_config: { ...breaks, half_open_requests: 1 } });
    await ask(config, [500, 200]);
    vi.advanceTimersByTime(30_000);
    expect((await ask(config, [500, 200])).notes).toContainEqual(expect.stringMatching(/targets\[0\].* half open/));
    vi.advanceTimersByTime(29_999);
    expect((await ask(config, [200])).called).toEqual(at(1));
    vi.advanceTimersByTime(1);
    expect((await ask(config, [200])).called).toEqual(at(0));
    expect((await ask(config, [200])).notes).toContain("config.targets[0] its circuit is closed");
  });
});

describe("rule 15", () => {
  it.each<[string, object, string]>([
    ["without a cooldown", { failure_threshold: 1 }, ".cooldown_interval, message: required"],
    [
      "a short cooldown",
      { ...breaks, cooldown_interval: 29_999 },
      ".cooldown_interval, message: must be 30000 or more",
    ],
    ["without a threshold", { cooldown_interval: 30_000 }, ", message: needs failure_threshold or"],
    ["a threshold of 0", { ...breaks, failure_threshold: 0 }, ".failure_threshold, message: must be 1 or more"],
    [
      "a share above all",
      { cooldown_interval: 30_000, failure_threshold_percentage: 101 },
      ".failure_threshold_percentage, message: must be 100 or less",
    ],
    [
      "a share of nothing",
      { cooldown_interval: 30_000, failure_threshold_percentage: 0 },
      ".failure_threshold_percentage, message: must be 1 or more",
    ],
    ["a status that is none", { ...breaks, failure_status_codes: [99] }, ".failure_status_codes.0, message: must be"],
    ["no probes at all", { ...breaks, half_open_requests: 0 }, ".half_open_requests, message: must be 1 or more"],
    ["camelCase", { failureThreshold: 1, cooldownInterval: 30_000 }, ".cooldown_interval, message: required"],
  ])("refuses %s", async (_, cb_config, message) => {
    const ask = await start();
    for (const [config, path] of [
      [{ strategy: { mode: "fallback", cb_config }, targets: [a] }, "strategy.cb_config"],
      [{ cb_config, ...a }, "cb_config"],
    ] as const) {
      const errors = errorsOf(await refusalOf(ask(config, [])));
      expect(errors.join("\n")).toContain(`path: ${path}${message}`);
    }
  });

  it.each<[object]>([
    [{ cooldown_interval: 30_000, failure_threshold_percentage: 100 }],
    [{ ...breaks, failure_status_codes: ["429", 500], minimum_requests: 1, unheard: 1 }],
  ])("accepts %j of a caller", async (cb_config) => {
    const ask = await start();
    expect((await ask({ ...a, cb_config }, [200])).called).toEqual(["config"]);
  });

  it("refuses what nobody knows in a config of the file", async () => {
    const saved = { ...a, cb_config: { ...breaks, cooldown: 1 } };
    await expect(start({ saved })).rejects.toThrow(/configs\.saved\.cb_config\.cooldown: is not known/);
  });
});

describe("of configs that came with requests", () => {
  const withKey = (api_key: string, more: object = {}) => fallbackOf({ provider: "a", api_key, ...more }, b);

  it("those that differ in their secrets alone are called the same, and have circuits of their own", async () => {
    const ask = await start();
    const routing = await startRouting({ withoutOthers: true, more: [fallback, breaker] });
    const nameOf = async (config: unknown) => (await routing.ask({ config })).exchange.routing?.config;
    for (const [one, two] of [
      [withKey("key-one"), withKey("key-two")],
      [withKey("key", { aws_secret_access_key: "one" }), withKey("key", { aws_secret_access_key: "two" })],
    ]) {
      expect((await ask(one, [500, 200])).called).toEqual(at(0, 1));
      expect((await ask(two, [200])).called).toEqual(at(0));
      expect((await ask(one, [200])).called).toEqual(at(1));
      expect(await nameOf(one)).toBe(await nameOf(two));
    }
    expect(await nameOf(withKey("key", { override_params: { n: 1 } }))).not.toBe(await nameOf(withKey("key")));
  });
});
