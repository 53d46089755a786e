import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type WorkersChannel, workerEnded } from "../../../core/index.ts";
import type { Counted } from "../registry/family.ts";
import { merged } from "../registry/merge.ts";
import { Peers } from "./peers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const shape = { name: "n", help: "N.", type: "counter", labels: [] } as const;
const numberOf = (sum: number): Counted[] => [{ shape, series: [{ values: [], sum }] }];

/** A machine whose workers hear each other a moment later, each of which has counted so many. */
function machine() {
  const workers = new Map<
    number,
    { readonly heard: [string, (message: unknown) => void][]; count: number; mute: boolean }
  >();
  const deliver = (from: number | undefined, topic: string, message: unknown, to?: number) => {
    const text = JSON.stringify(message);
    for (const [self, { heard }] of workers)
      if (self !== from && (to === undefined || to === self))
        for (const [about, listener] of heard) if (about === topic) queueMicrotask(() => listener(JSON.parse(text)));
  };
  return {
    hire(self: number, count: number): Peers {
      const worker = { heard: [] as [string, (message: unknown) => void][], count, mute: false };
      workers.set(self, worker);
      const channel: WorkersChannel = {
        self,
        send: (topic, message, to) => deliver(self, topic, message, to),
        listen(topic, listener) {
          worker.heard.push([topic, listener]);
          return () => undefined;
        },
      };
      const never = new Promise<never>(() => undefined);
      return new Peers({
        channel,
        self,
        deadline: 1_000,
        report: () =>
          worker.mute ? never : Promise.resolve({ counted: numberOf(worker.count), runtime: numberOf(self) }),
      });
    },
    change(self: number, more: { count?: number; mute?: boolean }) {
      Object.assign(workers.get(self) ?? {}, more);
    },
    end(self: number) {
      workers.delete(self);
      deliver(undefined, workerEnded, self);
    },
  };
}

/** What one worker says of all others together, and who did not answer. */
async function asked(peers: Peers): Promise<{ sum: number; living: number; missing: number[] }> {
  const gathering = peers.gather();
  await vi.advanceTimersByTimeAsync(1_000);
  const { counted, runtime, others } = await gathering;
  const [total] = merged([numberOf(0), ...counted]);
  expect(runtime).toHaveLength(others.filter(({ missing }) => !missing).length);
  const missing = others.filter((one) => one.missing).map(({ worker }) => worker);
  return { sum: total?.series[0]?.sum ?? 0, living: others.length, missing };
}

it("asks all the others, whoever began first", async () => {
  const { hire } = machine();
  const [one, two, three] = [hire(1, 10), hire(2, 200), hire(3, 3_000)];
  await vi.advanceTimersByTimeAsync(0);
  expect(await asked(one)).toEqual({ sum: 3_200, living: 2, missing: [] });
  expect(await asked(two)).toEqual({ sum: 3_010, living: 2, missing: [] });
  expect(await asked(three)).toEqual({ sum: 210, living: 2, missing: [] });
});

it("waits no longer than for the last answer, and for none where it is alone", async () => {
  const { hire } = machine();
  const one = hire(1, 1);
  await one.gather();
  hire(2, 2);
  await vi.advanceTimersByTimeAsync(0);
  const [first, second] = [one.gather(), one.gather()];
  await vi.advanceTimersByTimeAsync(0);
  expect(await Promise.all([first, second])).toHaveLength(2);
});

it("names who does not answer in time, and counts what that one last said", async () => {
  const { hire, change } = machine();
  const one = hire(1, 1);
  hire(2, 20);
  hire(3, 300);
  await vi.advanceTimersByTimeAsync(0);
  await asked(one);
  change(2, { mute: true });
  change(3, { count: 400 });
  expect(await asked(one)).toEqual({ sum: 420, living: 2, missing: [2] });
  change(2, { mute: false, count: 30 });
  expect(await asked(one)).toEqual({ sum: 430, living: 2, missing: [] });
});

it("goes on counting a worker that ended, in all others and in the one that replaces it", async () => {
  const { hire, end } = machine();
  const one = hire(1, 1);
  hire(2, 20);
  await vi.advanceTimersByTimeAsync(0);
  await asked(one);
  end(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(await asked(one)).toEqual({ sum: 20, living: 0, missing: [] });
  const three = hire(3, 300);
  await vi.advanceTimersByTimeAsync(0);
  expect(await asked(three)).toEqual({ sum: 21, living: 1, missing: [] });
  expect(await asked(one)).toEqual({ sum: 320, living: 1, missing: [] });
});

it("does not wait for a worker that ends meanwhile", async () => {
  const { hire, change, end } = machine();
  const one = hire(1, 1);
  hire(2, 20);
  await vi.advanceTimersByTimeAsync(0);
  change(2, { mute: true });
  const gathering = one.gather();
  end(2);
  await vi.advanceTimersByTimeAsync(0);
  expect((await gathering).others).toEqual([]);
});
