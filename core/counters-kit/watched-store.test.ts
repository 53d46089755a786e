import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepingLogger } from "../../test/support/gateway.ts";
import { CountersError } from "../services/counters.ts";
import { WatchedStore } from "./watched-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begun() {
  const log = keepingLogger();
  const state = { reachable: true, probes: 0, answers: true };
  const probe = async () => {
    state.probes++;
    if (!state.answers) throw new Error("no");
  };
  const store = new WatchedStore({ timeout: 100, reachable: () => state.reachable, probe, log });
  const failure = (send: () => Promise<unknown>) => store.call(send).catch((error: unknown) => error);
  return { store, state, failure, said: () => log.lines.map(({ level, message }) => `${level}: ${message}`) };
}

const fails = () => Promise.reject(new Error("broken"));
const never = () => new Promise<never>(() => undefined);

describe("a store that is watched", () => {
  it("answers, or fails as a store of counters does", async () => {
    const { store, failure } = begun();
    expect(await store.call(async () => "answer")).toBe("answer");
    expect(await failure(fails)).toMatchObject({ name: "CountersError", message: expect.stringContaining("broken") });
    const late = failure(never);
    await vi.advanceTimersByTimeAsync(101);
    expect(await late).toMatchObject({ message: "The store of the counters did not answer within 100 ms." });
    expect(store.available).toBe(true);
  });

  it("takes an answer that is there when this process gets to look at its clock", async () => {
    const { store } = begun();
    // The timer is late, as it is where the event loop was held; what came in meanwhile is read right after it.
    const call = store.call(() => new Promise<string>((resolve) => void setTimeout(resolve, 100, "in time")));
    await vi.advanceTimersByTimeAsync(101);
    expect(await call).toBe("in time");
  });

  it("is left alone after five failures in a row, and asked by a probe ten seconds later", async () => {
    const { store, state, failure, said } = begun();
    for (let time = 0; time < 4; time++) await failure(fails);
    await store.call(async () => "well");
    for (let time = 0; time < 4; time++) await failure(fails);
    expect(store.available).toBe(true);
    await failure(fails);
    expect(store.available).toBe(false);
    const send = vi.fn(fails);
    expect(await failure(send)).toBeInstanceOf(CountersError);
    expect(send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(state.probes).toBe(0);
    state.answers = false;
    await vi.advanceTimersByTimeAsync(1);
    expect([state.probes, store.available]).toEqual([1, false]);
    state.reachable = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect([state.probes, store.available]).toEqual([1, false]);
    Object.assign(state, { reachable: true, answers: true });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([state.probes, store.available]).toEqual([2, true]);
    expect(said()).toEqual([
      "warn: the store of the counters does not answer: nobody asks it for a while",
      "info: the store of the counters answers again",
    ]);
    // Begun anew: one failure is no reason.
    await failure(fails);
    expect(store.available).toBe(true);
  });

  it("is not available while it is out of reach, nor once it is closed", async () => {
    const { store, state, failure } = begun();
    state.reachable = false;
    expect(store.available).toBe(false);
    expect(await failure(async () => 1)).toBeInstanceOf(CountersError);
    state.reachable = true;
    expect(store.available).toBe(true);
    for (let time = 0; time < 5; time++) await failure(fails);
    store.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([state.probes, store.available]).toEqual([0, false]);
  });
});
