import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Exchange, Principal } from "../../../core/index.ts";
import { keepingLogger } from "../../../test/support/gateway.ts";
import { type Decided, undecided } from "./capture.ts";
import { Recorder } from "./recorder.ts";
import type { Draft } from "./records.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const exchange = (id: string) => ({ id, principal: { id: "p" } }) as Exchange;

/** Says of every record what it was made with: `a full`. */
function recording(decided: (principal: Principal) => Decided | Promise<Decided>) {
  const made: string[] = [];
  const log = keepingLogger();
  const recorder = new Recorder({
    decided,
    captureOf: (_, { logging }) => logging,
    recordsOf({ id }, mode) {
      if (id === "bad") throw new Error("it is odd");
      return [`${id} ${mode}` as unknown as Draft];
    },
    add: (draft) => made.push(`${draft}`),
    log,
  });
  const take = (...ids: string[]) => {
    for (const id of ids) recorder.take(exchange(id));
  };
  return { recorder, made, log, take };
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);

it("lays exchanges aside, and looks at some of them at a time, in turns of their own", async () => {
  const { recorder, made, take } = recording(() => undecided);
  take(...numbered(100));
  expect(made).toEqual([]);
  expect(recorder.waiting).toBe(100);
  await vi.advanceTimersToNextTimerAsync();
  expect(recorder.waiting).toBe(68);
  await vi.runAllTimersAsync();
  expect(made).toEqual(numbered(100).map((id) => `${id} full`));
  expect(recorder.waiting).toBe(0);
});

it("takes in what comes while it looks", async () => {
  const { made, take } = recording(() => undecided);
  take(...numbered(40));
  await vi.advanceTimersToNextTimerAsync();
  take("late");
  await vi.runAllTimersAsync();
  expect(made).toHaveLength(41);
  expect(made.at(-1)).toBe("late full");
  take("later");
  await vi.runAllTimersAsync();
  expect(made.at(-1)).toBe("later full");
});

it("waits for what an organisation has decided, and keeps no content where nobody can say", async () => {
  let decide: (decided: Decided) => void = () => undefined;
  const asked = new Promise<Decided>((resolve) => {
    decide = resolve;
  });
  const { recorder, made, log, take } = recording(({ id }) => (id === "p" ? asked : undecided));
  take("a");
  await vi.runAllTimersAsync();
  expect([made, recorder.waiting]).toEqual([[], 1]);
  decide({ logging: "metrics_only", loggingEnforced: false });
  await vi.runAllTimersAsync();
  expect([made, recorder.waiting]).toEqual([["a metrics_only"], 0]);
  const down = recording(() => Promise.reject(new Error("the store is down")));
  down.take("b");
  await vi.runAllTimersAsync();
  expect(down.made).toEqual(["b metrics_only"]);
  expect(log.lines).toEqual([]);
  expect(down.log.lines).toMatchObject([{ level: "warn", fields: { request: "b" } }]);
});

it("is not held up by many who wait, nor by one that makes trouble", async () => {
  const { recorder, made, log, take } = recording(() => new Promise(() => undefined));
  take(...numbered(1001), "bad");
  await vi.runAllTimersAsync();
  expect(recorder.waiting).toBe(1000);
  expect(made).toEqual(["1000 metrics_only"]);
  expect(log.lines).toMatchObject([{ level: "error", fields: { request: "bad" } }]);
});

it("makes records of all that is left when it ends, and does not wait for ever", async () => {
  const whole = recording(() => undecided);
  whole.take("a", "bad", "b");
  await whole.recorder.close(1000);
  expect(whole.made).toEqual(["a full", "b full"]);
  const late = recording(() => new Promise(() => undefined));
  late.take("c");
  const closing = late.recorder.close(1000);
  await vi.advanceTimersByTimeAsync(1000);
  await closing;
  expect(late.made).toEqual(["c metrics_only"]);
});
