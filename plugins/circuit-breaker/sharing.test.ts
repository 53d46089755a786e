import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type BusService, type ProviderMark, Secret } from "../../core/index.ts";
import { drive, node, outcome, target, walkOf } from "../../test/support/walks.ts";
import { withAllHidden } from "../routing/config/hide-secrets.ts";
import { Breaker } from "./breaker.ts";
import { Circuits } from "./circuits.ts";
import { healthEndpoint } from "./health.ts";
import { breakerPolicy } from "./policy.ts";
import { Sharing } from "./sharing.ts";

/** What is published arrives at all others at once, as JSON. */
function busLine() {
  const listeners: { readonly of: number; readonly to: string; readonly listener: (message: unknown) => void }[] = [];
  const sent: unknown[] = [];
  let next = 0;
  return {
    sent,
    join(): BusService {
      const me = next++;
      return {
        publish(topic, message) {
          sent.push(message);
          for (const { of, to, listener } of listeners)
            if (of !== me && to === topic) listener(JSON.parse(JSON.stringify(message)) as unknown);
        },
        subscribe(to, listener) {
          const own = { of: me, to, listener };
          listeners.push(own);
          return () => void listeners.splice(listeners.indexOf(own), 1);
        },
      };
    },
  };
}

const cooldown = 30_000;
const policyOf = (more: object = {}) =>
  breakerPolicy.parse({ failure_threshold: 3, cooldown_interval: cooldown, ...more });

/** A process with a breaker, which calls one leaf. */
function processOn(bus: BusService | undefined, { more = {}, most = 100 }: { more?: object; most?: number } = {}) {
  const policy = policyOf(more);
  const leaf = node("config.targets[0]", { fields: { cb_config: policy } });
  const found = new WeakMap<object, ProviderMark>();
  const markOf = (exchange?: object) => {
    if (place.changedAt === undefined) return { text: place.mark };
    return exchange && found.get(exchange);
  };
  const circuits = new Circuits(most, { mark: (_, exchange) => markOf(exchange), hidden: withAllHidden });
  const clock = { now: 1_000_000 };
  /** The provider of the leaf, which is kept among the records where it says since when it is so. */
  const place = { mark: "key-one", changedAt: undefined as number | undefined };
  let walks = 0;
  const sharing = new Sharing(bus, () => clock.now);
  const leave = sharing.listen(circuits);
  const breaker = new Breaker(circuits, sharing);
  const walk = (principal = {}) => {
    const exchange = { principal, gatewayHeaders: { get: () => undefined }, signal: new AbortController().signal };
    const asked = Object.assign(walkOf().exchange, exchange);
    found.set(asked, { text: place.mark, changedAt: place.changedAt });
    return walkOf({ number: ++walks, now: () => clock.now, config: "c", exchange: asked });
  };
  return {
    clock,
    place,
    leave,
    flush: () => sharing.flush(),
    ask: (asked?: () => void) => sharing.ask(asked),
    isShut: () => breaker.isShut(leaf, walk()),
    walk,
    call(status: number, at = leaf, principal = {}, config = "c", begun = walk(principal)) {
      const asked = { ...begun, config };
      drive(
        breaker.watch(target(at.path), at, policy, asked, function* (one) {
          return yield one;
        }),
        [outcome(status)],
      );
    },
    rows(principal: object = {}) {
      const answer = healthEndpoint(circuits, undefined, () => clock.now).serve?.(walk(principal).exchange);
      if (!answer || answer instanceof Promise) throw new Error("nothing was answered");
      return (answer.body as { data: Record<string, unknown>[] }).data;
    },
  };
}

const settled = () => new Promise(setImmediate);

describe("two processes", () => {
  const pair = (more: object = {}) => {
    const line = busLine();
    return { line, one: processOn(line.join(), { more }), two: processOn(line.join(), { more }) };
  };

  it("count failures together, which leave at the end of the moment", async () => {
    const { one, two, line } = pair();
    one.call(500);
    one.call(500);
    expect(line.sent).toEqual([]);
    await settled();
    expect(line.sent).toHaveLength(1);
    two.call(500);
    expect([one.isShut(), two.isShut()]).toEqual([true, true]);
    expect(one.rows()).toEqual(two.rows());
    expect(one.rows()).toMatchObject([{ config: "c", path: "config.targets[0]", state: "open", failures: 3 }]);
  });

  it("tell successes together, a quarter of a second later at most", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { one, two, line } = pair({ failure_threshold: undefined, failure_threshold_percentage: 50 });
    for (let at = 0; at < 5; at++) one.call(200);
    vi.advanceTimersByTime(249);
    expect(line.sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(line.sent).toHaveLength(1);
    two.call(500);
    expect(two.isShut()).toBe(false);
    expect(two.rows()).toMatchObject([{ failures: 1, successes: 5 }]);
  });

  it("tell an opening at once, for the time that is left, whatever their clocks say", () => {
    const { one, two } = pair({ failure_threshold: 1 });
    two.clock.now = 77;
    one.call(500);
    expect(two.isShut()).toBe(true);
    two.clock.now += cooldown - 1;
    expect(two.isShut()).toBe(true);
    two.clock.now += 1;
    expect(two.isShut()).toBe(false);
    expect(two.rows()).toMatchObject([{ state: "closed", failures: 0, open_until: null }]);
  });

  it("do not prolong what is open", () => {
    const { one, two } = pair({ failure_threshold: 1 });
    one.call(500);
    one.clock.now += cooldown;
    two.clock.now += cooldown - 10;
    one.call(500);
    two.clock.now += 10;
    expect(two.isShut()).toBe(false);
  });

  it("are told by others what is open when they begin, for the time that is left", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { line, one, two } = pair({ failure_threshold: 1 });
    one.call(500);
    two.clock.now += cooldown;
    one.clock.now += cooldown - 10;
    const three = processOn(line.join(), { more: { failure_threshold: 1 } });
    expect(three.isShut()).toBe(false);
    three.ask();
    vi.advanceTimersByTime(250);
    expect([one.isShut(), two.isShut(), three.isShut()]).toEqual([true, false, true]);
    three.clock.now += 10;
    expect(three.isShut()).toBe(false);
  });

  it("have not asked where they end before the question leaves", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { line } = pair();
    const [early, later] = [processOn(line.join()), processOn(line.join())];
    const asked = { early: vi.fn(), later: vi.fn() };
    for (const [one, told] of [[early, asked.early] as const, [later, asked.later] as const]) one.ask(told);
    vi.advanceTimersByTime(249);
    early.leave();
    vi.advanceTimersByTime(1);
    expect(asked.early).not.toHaveBeenCalled();
    expect(asked.later).toHaveBeenCalledOnce();
  });

  it("tell what a probe showed", () => {
    const { one, two } = pair({ failure_threshold: 1, half_open_requests: 1 });
    one.call(500);
    for (const { clock } of [one, two]) clock.now += cooldown;
    expect(two.rows()).toMatchObject([{ state: "half-open" }]);
    one.call(200);
    expect(two.rows()).toMatchObject([{ state: "closed" }]);
  });

  it("begin anew where the provider is called elsewhere by now, each when it knows, and say nothing of it", async () => {
    const { line, one, two } = pair({ failure_threshold: 2 });
    one.call(500);
    await settled();
    one.call(500);
    one.place.mark = "key-two";
    expect([one.isShut(), two.isShut()]).toEqual([false, true]);
    two.place.mark = "key-two";
    expect([one.isShut(), two.isShut()]).toEqual([false, false]);
    one.call(500);
    await settled();
    two.call(500);
    expect([one.isShut(), two.isShut()]).toEqual([true, true]);
    expect(JSON.stringify(line.sent)).not.toContain("key-");
    expect(new Set(line.sent.flat().map((told) => (told as { id: string }).id)).size).toBe(1);
  });

  it("go by a stored provider as it is by now, whoever is late with what it was before", async () => {
    const { line, one, two } = pair({ failure_threshold: 2 });
    const at = (process: typeof one, changedAt: number) =>
      Object.assign(process.place, { mark: `key-${changedAt}`, changedAt });
    for (const process of [one, two]) at(process, 1);
    const before = [one.walk(), two.walk()] as const;
    const late = (process: typeof one, walk: (typeof before)[number]) => process.call(500, undefined, {}, "c", walk);
    one.call(500);
    await settled();
    at(one, 2);
    one.call(500);
    await settled();
    // It failed once as it is now: neither here nor there does it matter what it was before.
    late(one, before[0]);
    await settled();
    expect(one.rows()).toMatchObject([{ failures: 1 }]);
    at(two, 2);
    expect(two.isShut()).toBe(false);
    late(two, before[1]);
    await settled();
    expect([one.isShut(), two.isShut()]).toEqual([false, false]);
    two.call(500);
    await settled();
    expect([one.isShut(), two.isShut()]).toEqual([true, true]);
    expect(line.sent).not.toEqual([]);
  });

  it("hear nothing of a stored provider from who goes by what it was before", async () => {
    const { one, two } = pair({ failure_threshold: 1 });
    Object.assign(one.place, { mark: "key-two", changedAt: 2 });
    Object.assign(two.place, { mark: "key-one", changedAt: 1 });
    one.call(200);
    two.call(500);
    await settled();
    expect([one.isShut(), two.isShut()]).toEqual([false, true]);
  });

  it("hear of who nobody has called here as long as that is the one", async () => {
    const { one, two } = pair({ failure_threshold: 1 });
    Object.assign(one.place, { mark: "key-one", changedAt: 1 });
    Object.assign(two.place, { mark: "key-two", changedAt: 2 });
    one.call(500);
    expect([one.isShut(), two.isShut()]).toEqual([true, false]);
    expect(two.rows()).toMatchObject([]);
    Object.assign(one.place, { mark: "key-two", changedAt: 2 });
    one.call(500);
    expect([one.isShut(), two.isShut()]).toEqual([true, true]);
  });

  it("tell configs that came with requests apart that differ in their secrets alone", async () => {
    const { line, one, two } = pair({ failure_threshold: 2 });
    const leaf = (key: string) =>
      node("config.targets[0]", {
        fields: { cb_config: policyOf({ failure_threshold: 2 }), api_key: new Secret(key) },
      });
    one.call(500, leaf("abc"), {}, "inline:c");
    two.call(500, leaf("xyz"), {}, "inline:c");
    await settled();
    two.call(500, leaf("abc"), {}, "inline:c");
    for (const process of [one, two])
      expect(
        process
          .rows()
          .map(({ state }) => state)
          .sort(),
      ).toEqual(["closed", "open"]);
    const ids = new Set(line.sent.flat().map((told) => (told as { id: string }).id));
    expect(ids.size).toBe(2);
  });

  it("name no circuit by the credentials of a check: only under their key, and where the config came with a request", async () => {
    const { line, one, two } = pair();
    const leaf = (apiKey: string) =>
      node("config.targets[0]", {
        fields: {
          cb_config: policyOf(),
          input_guardrails: [{ "vendor.scan": { apiKey, url: `https://u:${apiKey}@scan.example/` }, deny: true }],
          before_request_hooks: [{ type: "guardrail", checks: [{ id: "vendor.scan", parameters: { apiKey } }] }],
        },
      });
    const idsOf = (config: string) => {
      line.sent.length = 0;
      one.call(500, leaf("abc"), {}, config);
      two.call(500, leaf("xyz"), {}, config);
      return settled().then(() => new Set(line.sent.flat().map((told) => (told as { id: string }).id)).size);
    };
    expect(await idsOf("c")).toBe(1);
    expect(await idsOf("inline:c")).toBe(2);
  });

  it("go on alone when one of them leaves, and while nobody hears", async () => {
    const { one, two } = pair({ failure_threshold: 1 });
    two.leave();
    one.call(500);
    await settled();
    expect([one.isShut(), two.isShut()]).toEqual([true, false]);
  });

  it.each([[null], ["x"], [{}], [[{}]], [[{ id: "x", failures: -1 }]], [[null]]])("take %j for nothing", (message) => {
    const { line, two } = pair();
    line.join().publish("circuits", message);
    expect(two.rows()).toEqual([]);
  });
});

describe("one process", () => {
  it("needs no bus", async () => {
    const alone = processOn(undefined, { more: { failure_threshold: 1 } });
    alone.call(500);
    await settled();
    alone.flush();
    expect(alone.isShut()).toBe(true);
  });

  it("remembers no more leaves than it may: those it hears of", () => {
    const alone = processOn(undefined, { more: { failure_threshold: 1 }, most: 2 });
    const leaf = (index: number) => node(`config.targets[${index}]`, { fields: { cb_config: policyOf() } });
    alone.call(500);
    for (const index of [1, 2, 3]) {
      alone.call(200, leaf(index));
      // An open circuit is asked about rather than called.
      expect(alone.isShut()).toBe(true);
    }
    expect(alone.rows().map(({ path }) => path)).toEqual(["config.targets[3]", "config.targets[0]"]);
  });

  it("shows a workspace its own leaves, and who belongs to none all", () => {
    const alone = processOn(undefined);
    const leaf = node("config.targets[0]", { fields: { cb_config: policyOf() } });
    alone.call(200, leaf, { workspace: "w" });
    alone.call(200, leaf, { organisation: "o", workspace: "w" });
    alone.call(200, leaf);
    expect(alone.rows({ workspace: "w" }).map(({ tenant }) => tenant)).toEqual(["/w"]);
    expect(alone.rows().map(({ tenant }) => tenant)).toEqual(["/w", "o/w", undefined]);
  });
});
