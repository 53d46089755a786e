import { afterEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../../core/index.ts";
import { KeptSecret } from "./kept-secret.ts";
import type { LastValue } from "./last-values.ts";
import { SecretContent } from "./secret-content.ts";

const minute = 60_000;
const refusal = new GatewayError("secret_unresolved", "It answered 404.");
const trouble = new GatewayError("upstream_unreachable", "It answered 503.");

/** A manager that counts, and a clock. */
function setUp(before?: LastValue) {
  const state = { now: 1_000_000, fetched: 0, failing: undefined as Error | undefined, failures: [] as unknown[] };
  const last = { value: before };
  const kept = new KeptSecret({
    last: () => last.value,
    keep: (value) => Object.assign(last, { value }),
    forget: () => Object.assign(last, { value: undefined }),
    fetch: async () => {
      state.fetched++;
      if (state.failing) throw state.failing;
      return new SecretContent(`value-${state.fetched}`);
    },
    failed: (error, servedFor) => state.failures.push([error, servedFor]),
    now: () => state.now,
  });
  const value = async () => (await kept.content()).value(undefined);
  /** What is at hand, or that there is something to wait for. */
  const atHand = () => {
    const content = kept.content();
    if (!(content instanceof Promise)) return content.value(undefined);
    content.catch(() => undefined);
    return "a promise";
  };
  return { state, kept, last, value, atHand };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a secret that was fetched", () => {
  it("is fetched once for all who ask at once, and at hand from then on", async () => {
    const { state, value, atHand } = setUp();
    expect(await Promise.all([value(), value(), value()])).toEqual(["value-1", "value-1", "value-1"]);
    state.now += 4 * minute - 1;
    expect(atHand()).toBe("value-1");
    expect(state.fetched).toBe(1);
  });

  it("is renewed beside those who use it, and waited for once it is five minutes old", async () => {
    const { state, value, atHand } = setUp();
    await value();
    state.now += 4 * minute;
    expect([atHand(), atHand()]).toEqual(["value-1", "value-1"]);
    await settled();
    expect([atHand(), state.fetched]).toEqual(["value-2", 2]);
    state.now += 5 * minute;
    expect(atHand()).toBe("a promise");
    expect([await value(), state.fetched]).toEqual(["value-3", 3]);
  });

  it("serves for an hour while the manager is in trouble, and nobody waits for it", async () => {
    const { state, value, atHand } = setUp();
    await value();
    state.failing = trouble;
    state.now += 5 * minute;
    expect(await value()).toBe("value-1");
    expect(state.failures).toEqual([[trouble, 5 * minute]]);
    const tried = state.fetched;
    state.now += 29_999;
    expect([atHand(), state.fetched]).toEqual(["value-1", tried]);
    state.now += 1;
    expect(atHand()).toBe("value-1");
    await settled();
    expect(state.fetched).toBeGreaterThan(tried);
    state.now += 55 * minute;
    await expect(value()).rejects.toBe(trouble);
    state.failing = undefined;
    state.now += 1_000;
    expect(await value()).toMatch(/^value-/);
  });

  it("is fetched again when it was refused, and the refused value never serves", async () => {
    const { state, kept, value } = setUp();
    await value();
    kept.drop();
    expect(await value()).toBe("value-2");
    kept.drop();
    state.failing = refusal;
    await expect(value()).rejects.toBe(refusal);
  });

  it("that was refused while it was fetched is not kept", async () => {
    const { state, kept, value } = setUp();
    const first = value();
    kept.drop();
    expect([await first, await value(), state.fetched]).toEqual(["value-1", "value-2", 2]);
  });
});

describe("a secret that calls under way were sent with", () => {
  const shows = (value: string) => (content: SecretContent | undefined) => content?.value(undefined) === value;

  it("is fetched once when all of them are refused", async () => {
    const { state, kept, value } = setUp();
    await value();
    kept.drop(shows("value-1"));
    const next = value();
    kept.drop(shows("value-1"));
    expect(await next).toBe("value-2");
    kept.drop(shows("value-1"));
    expect([await value(), state.fetched]).toEqual(["value-2", 2]);
    kept.drop(shows("value-2"));
    expect(await value()).toBe("value-3");
  });
});

describe("a secret that was fetched before a reload", () => {
  const fetchedAt = (at: number): LastValue => ({ content: new SecretContent("before"), at });

  it("is fetched anew, as whoever reloads may mean", async () => {
    const { state, atHand, value, last } = setUp(fetchedAt(999_999));
    expect(atHand()).toBe("a promise");
    expect([await value(), state.fetched]).toEqual(["value-1", 1]);
    expect(last.value).toMatchObject({ at: state.now });
  });

  it("serves while its manager fails, until it is an hour old", async () => {
    const { state, atHand, value } = setUp(fetchedAt(1_000_000));
    state.failing = trouble;
    expect(await value()).toBe("before");
    expect(state.failures).toEqual([[trouble, 0]]);
    state.now += 60 * minute - 1;
    expect(atHand()).toBe("before");
    await settled();
    state.now += 1_000;
    await expect(value()).rejects.toBe(trouble);
  });

  it("serves no more once it is refused, whichever generation hears of it", async () => {
    const { state, kept, last, value } = setUp(fetchedAt(1_000_000));
    state.failing = refusal;
    expect(await value()).toBe("before");
    kept.drop();
    await expect(value()).rejects.toBe(refusal);
    const other = setUp(fetchedAt(1_000_000));
    other.state.failing = refusal;
    expect(await other.value()).toBe("before");
    other.last.value = last.value;
    state.now += minute;
    await expect(other.value()).rejects.toBe(refusal);
  });
});

describe("a secret that cannot be had", () => {
  it.each([
    ["that is refused is asked for once", refusal, 1],
    ["is asked for twice where that may help", trouble, 2],
    ["is asked for twice where nobody knows why", new Error("reset"), 2],
  ])("%s", async (_, error, times) => {
    const { state, value } = setUp();
    state.failing = error;
    await expect(value()).rejects.toBe(error);
    expect(state.fetched).toBe(times);
    await expect(value()).rejects.toBe(error);
    expect(state.fetched).toBe(times);
    state.now += 1_000;
    await expect(value()).rejects.toBe(error);
    expect(state.fetched).toBe(2 * times);
    expect(state.failures[0]).toEqual([error, undefined]);
  });

  describe("in time", () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    it("is given up after five seconds, twice", async () => {
      vi.useFakeTimers();
      let fetched = 0;
      const kept = new KeptSecret({
        fetch: () => {
          fetched++;
          return new Promise<never>(() => undefined);
        },
        failed: () => undefined,
      });
      const content = Promise.resolve(kept.content()).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(4_999);
      expect(fetched).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(fetched).toBe(2);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await content).toMatchObject({ code: "request_timeout" });
    });
  });
});
