import { setImmediate } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** A time that goes by only when a route waits, or a vendor keeps silent: no test sleeps, and every wait is known. */
export interface Time {
  /** What routes have waited for since it was last emptied, in milliseconds. */
  readonly waits: number[];
  /** Lets time pass until something has happened; how long that took. */
  passUntil(happened: () => boolean): Promise<number>;
  /** Nobody asks anything for so long. */
  pass(milliseconds: number): void;
  /** Timers that have not gone off. */
  pending(): number;
}

const step = 250;
const longest = 400_000;

export function startTime(): Time {
  const real = globalThis.setTimeout;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  const faked = globalThis.setTimeout;
  const waits: number[] = [];
  const counted = (run: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) => {
    const timer = faked(run, milliseconds, ...given);
    // Between two calls of a route nothing else is under way: what it waits for may as well be over.
    if (/\/pipeline\/walk\/walk\.ts/.test(new Error().stack?.split("\n")[2] ?? "")) {
      waits.push(milliseconds);
      void setImmediate().then(() => vi.advanceTimersByTime(milliseconds));
    }
    return timer;
  };
  globalThis.setTimeout = Object.assign(counted, faked) as unknown as typeof setTimeout;
  onTestFinished(() => {
    globalThis.setTimeout = faked;
    vi.useRealTimers();
    globalThis.setTimeout = real;
  });
  return {
    waits,
    pass: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    pending: () => vi.getTimerCount(),
    async passUntil(happened) {
      for (let passed = 0; passed <= longest; passed += step) {
        for (let turn = 0; turn < 4; turn++) await setImmediate();
        if (happened()) return passed;
        vi.advanceTimersByTime(step);
      }
      throw new Error("nothing has happened");
    },
  };
}
