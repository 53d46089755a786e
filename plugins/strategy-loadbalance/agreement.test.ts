import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { BusService, CacheEntry, CacheService } from "../../core/index.ts";
import { drive, exchangeOf, leaves, node, outcome, walkOf } from "../../test/support/walks.ts";
import { withAllHidden } from "../routing/config/hide-secrets.ts";
import { Agreement } from "./agreement.ts";
import { assignments } from "./assignments.ts";
import { loadbalanceStrategy } from "./strategy.ts";

/** A shared store whose answers come when they are let go, and a bus that delivers at once. */
function others() {
  const kept = new Map<string, Buffer>();
  const listeners: { readonly of: object; readonly listener: (message: unknown) => void }[] = [];
  const store = { available: true, shared: true, silent: false, claims: 0, kept };
  const nameOf = ({ tenant, key }: CacheEntry) => `${tenant} ${key}`;
  const cache: CacheService = {
    get shared() {
      return store.shared;
    },
    get available() {
      return store.available;
    },
    get: async (entry) => kept.get(nameOf(entry)),
    set: async (entry, value) => void kept.set(nameOf(entry), value),
    delete: async (entry) => void kept.delete(nameOf(entry)),
    claim(entry, value) {
      store.claims++;
      if (store.silent) return new Promise(() => undefined);
      const found = kept.get(nameOf(entry)) ?? value;
      kept.set(nameOf(entry), found);
      return Promise.resolve(found);
    },
  };
  const bus = (): BusService => {
    const me = {};
    return {
      publish(_, message) {
        for (const { of, listener } of listeners) if (of !== me) listener(JSON.parse(JSON.stringify(message)));
      },
      subscribe(_, listener) {
        listeners.push({ of: me, listener });
        return () => undefined;
      },
    };
  };
  return { store, cache, bus };
}

interface Process {
  /** The child a request of this caller goes to when this is drawn. */
  ask(draw: number, caller?: string, shut?: readonly number[], role?: "imagined"): Promise<number>;
  /** What was said of the last of them. */
  notes: readonly string[];
  readonly clock: { now: number };
}

const group = node("config");

function processWith(
  shares: { cache?: CacheService; bus?: BusService },
  { checkKey = "k", ttl = 60, serves = false } = {},
): Process {
  const local = assignments(100);
  const agreement = new Agreement(local, shares);
  if (serves) agreement.serve();
  const strategy = loadbalanceStrategy(local, agreement, withAllHidden);
  const options = strategy.schema.parse({ sticky: { enabled: true, hash_fields: ["metadata.user"], ttl } });
  const clock = { now: 1_000_000 };
  agreement.listen(() => clock.now);
  let closed: readonly number[] = [];
  const fields = { input_guardrails: [{ "vendor.scan": { apiKey: checkKey } }] };
  const children = leaves({ fields }, { fields }).map((child) => ({
    ...child,
    isShut: () => closed.includes(child.index),
  }));
  const route = strategy.compile(options, children, group);
  const prepare = strategy.prepare?.(options, children, group);
  return {
    clock,
    notes: [],
    async ask(draw, caller = "ada", shut = [], role) {
      closed = shut;
      const exchange = Object.assign(exchangeOf({ metadata: { user: caller }, principal: { id: "key:a" } }), { role });
      const walk = walkOf({ draws: [draw], exchange, config: "c", now: () => clock.now });
      const waiting = prepare?.(walk);
      if (waiting) await waiting;
      closed = shut;
      const [called] = drive(route(walk), [outcome(200)]).called;
      this.notes = walk.notes;
      return Number(/\d+/.exec(called ?? "")?.[0]);
    },
  };
}

const settled = () => new Promise(setImmediate);
const [first, second] = [0, 0.9];

describe("over a shared cache", () => {
  function pair() {
    const { store, cache } = others();
    return { store, one: processWith({ cache }), two: processWith({ cache }) };
  }

  it("the process that claims first decides for all", async () => {
    const { one, two, store } = pair();
    expect(await one.ask(second)).toBe(1);
    expect(await two.ask(first)).toBe(1);
    expect(await two.ask(first, "bob")).toBe(0);
    expect(await one.ask(second, "bob")).toBe(0);
    // What is known is not asked for again.
    expect(store.claims).toBe(4);
    await one.ask(first);
    expect(store.claims).toBe(4);
  });

  it("the credentials of checks are in no key of it", async () => {
    const { store, cache } = others();
    expect(await processWith({ cache }, { checkKey: "abc" }).ask(second)).toBe(1);
    expect(await processWith({ cache }, { checkKey: "xyz" }).ask(first)).toBe(1);
    expect(store.kept.size).toBe(1);
  });

  it("two first requests at once go to the same child, in one process and in two", async () => {
    const { one, two, store } = pair();
    const asked = [one.ask(second), one.ask(first), two.ask(first), two.ask(second)];
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    expect(store.claims).toBe(2);
  });

  it("an assignment ends when its time has passed, for all", async () => {
    const { one, two } = pair();
    await one.ask(second);
    two.clock.now += 59_999;
    expect(await two.ask(first)).toBe(1);
    two.clock.now += 1;
    expect(await two.ask(first)).toBe(0);
  });

  it("a child that is shut is replaced for all who ask from then on", async () => {
    const { store, cache } = others();
    const one = processWith({ cache });
    expect(await one.ask(second)).toBe(1);
    expect(await one.ask(second, "ada", [1])).toBe(0);
    await settled();
    expect(await processWith({ cache }).ask(second)).toBe(0);
    expect(store.claims).toBe(2);
  });

  it("draws among those that are not shut, or all where every one is", async () => {
    const { one } = pair();
    expect(await one.ask(second, "bob", [1])).toBe(0);
    expect(await one.ask(second, "eve", [0, 1])).toBe(1);
  });

  it("that is silent, requests go on after a quarter of a second, and stay where they went", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { one, store } = pair();
    store.silent = true;
    let went: number | undefined;
    const asked = one.ask(second).then((child) => {
      went = child;
    });
    await vi.advanceTimersByTimeAsync(249);
    expect(went).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await asked;
    expect(went).toBe(1);
    expect(await one.ask(first)).toBe(1);
  });

  it("that is down, nobody waits", async () => {
    const { one, two, store } = pair();
    store.available = false;
    expect([await one.ask(second), await two.ask(first)]).toEqual([1, 0]);
    expect(store.claims).toBe(0);
    store.available = true;
    // Nobody waits for what is settled afterwards either: the first to be asked again decides.
    expect([await one.ask(first), await two.ask(second)]).toEqual([1, 0]);
    await settled();
    expect([await one.ask(first), await two.ask(second)]).toEqual([1, 1]);
    expect(store.claims).toBe(2);
    expect([await one.ask(first, "bob"), await two.ask(second, "bob")]).toEqual([0, 0]);
  });

  it("that takes nothing new, others hear of it over the bus", async () => {
    const { cache, bus } = others();
    cache.claim = async () => undefined;
    const [one, two] = [processWith({ cache, bus: bus() }), processWith({ cache, bus: bus() })];
    expect(await one.ask(second)).toBe(1);
    await settled();
    expect(await two.ask(first)).toBe(1);
  });

  it.each(["", "null", '{"child":-1}', "no JSON"])(
    "that holds %j for an assignment, the own draw counts",
    async (text) => {
      const { one, store } = pair();
      await one.ask(second);
      for (const key of store.kept.keys()) store.kept.set(key, Buffer.from(text));
      const { cache } = others();
      cache.claim = () => Buffer.from(text);
      expect(await processWith({ cache }).ask(second)).toBe(1);
    },
  );

  it("that others do not see, is not asked", async () => {
    const { one, store } = pair();
    store.shared = false;
    await one.ask(second);
    expect(store.claims).toBe(0);
  });
});

describe("a process that only looks", () => {
  const unknown = "where this caller stays is not known here: it is in the memory of the gateway that runs";

  it("finds in a shared cache where a caller stays, and claims nothing", async () => {
    const { store, cache } = others();
    await processWith({ cache }).ask(second);
    const looking = processWith({ cache });
    expect(await looking.ask(first, "ada", [], "imagined")).toBe(1);
    expect(looking.notes).toEqual(["config.targets[1] is where this caller stays"]);
    // Nobody was sent anywhere yet.
    expect(await looking.ask(first, "bob", [], "imagined")).toBe(0);
    expect(looking.notes).toEqual(["config.targets[0] was drawn by weight"]);
    expect([store.claims, store.kept.size]).toEqual([1, 1]);
  });

  it("says that it does not know where the gateway keeps that to itself, or the cache is away", async () => {
    const { store, cache } = others();
    store.available = false;
    for (const looking of [processWith({}), processWith({ cache })]) {
      expect(await looking.ask(first, "ada", [], "imagined")).toBe(0);
      expect(looking.notes).toEqual(["config.targets[0] was drawn by weight", `config.targets[0] ${unknown}`]);
    }
  });
});

it("a check of what is not sent yet keeps nobody from agreeing with others on where the caller goes", async () => {
  const { cache } = others();
  const [one, two] = [processWith({ cache }, { serves: true }), processWith({ cache }, { serves: true })];
  await one.ask(second, "ada", [], "imagined");
  expect(await two.ask(first)).toBe(0);
  expect(await one.ask(second)).toBe(0);
});

describe("over a bus", () => {
  function pair() {
    const { bus } = others();
    return { one: processWith({ bus: bus() }), two: processWith({ bus: bus() }) };
  }

  it("others are told at the end of the moment", async () => {
    const { one, two } = pair();
    expect(await one.ask(second)).toBe(1);
    await settled();
    expect(await two.ask(first)).toBe(1);
  });

  it("the earlier one counts where both assigned", async () => {
    const { one, two } = pair();
    two.clock.now += 1;
    const asked = [one.ask(second), two.ask(first)];
    expect(await Promise.all(asked)).toEqual([1, 0]);
    await settled();
    expect([await one.ask(first), await two.ask(first)]).toEqual([1, 1]);
  });

  it("the earlier one is told again to who was not there to hear of it", async () => {
    const { bus } = others();
    const one = processWith({ bus: bus() });
    expect(await one.ask(second)).toBe(1);
    await settled();
    const late = processWith({ bus: bus() });
    late.clock.now += 1;
    expect(await late.ask(first)).toBe(0);
    await settled();
    await settled();
    expect([await one.ask(first), await late.ask(first)]).toEqual([1, 1]);
  });

  it("of two at the same time, both take the same", async () => {
    const { one, two } = pair();
    expect(await Promise.all([one.ask(second), two.ask(first)])).toEqual([1, 0]);
    await settled();
    expect([await one.ask(second), await two.ask(second)]).toEqual([0, 0]);
  });

  it("what takes the place of a child that is shut counts, though it is later", async () => {
    const { one, two } = pair();
    await one.ask(second);
    await settled();
    one.clock.now += 10;
    expect(await one.ask(second, "ada", [1])).toBe(0);
    await settled();
    expect(await two.ask(second)).toBe(0);
  });

  it("others are told of callers who stay for longer than there are numbers for", async () => {
    const { bus } = others();
    const [one, two] = [processWith({ bus: bus() }, { ttl: 1e300 }), processWith({ bus: bus() }, { ttl: 1e300 })];
    expect(await one.ask(second)).toBe(1);
    await settled();
    expect(await two.ask(first)).toBe(1);
  });

  it("one that cannot be read takes no others with it", async () => {
    const { bus } = others();
    const own = bus();
    const publish = own.publish;
    const one = processWith({ bus: { ...own, publish: (topic, told) => publish(topic, [{}, ...(told as [])]) } });
    const two = processWith({ bus: bus() });
    expect(await one.ask(second)).toBe(1);
    await settled();
    expect(await two.ask(first)).toBe(1);
  });

  it.each([[null], [[{}]], [[{ key: "k", child: "0", assignedAt: 1, expiresAt: 2 }]]])(
    "%j is nothing",
    async (message) => {
      const { bus } = others();
      const one = processWith({ bus: bus() });
      bus().publish("sticky-assignments", message);
      expect(await one.ask(second)).toBe(1);
    },
  );
});

it("with both, the bus is told where the cache cannot be used", async () => {
  const { store, cache, bus } = others();
  const [one, two] = [processWith({ cache, bus: bus() }), processWith({ cache, bus: bus() })];
  store.available = false;
  expect(await one.ask(second)).toBe(1);
  await settled();
  expect(await two.ask(first)).toBe(1);
});
