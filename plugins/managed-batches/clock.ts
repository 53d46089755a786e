import { timerFor } from "../../core/index.ts";

/** Time, as the work on batches knows it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after so many milliseconds, or at once when `signal` fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Milliseconds between two tries at most. */
export const longestPause = 60_000;

/** Milliseconds before a try that follows so many failed ones: twice as many each time. */
export const pauseAfter = (failures: number, first: number): number => Math.min(first * 2 ** failures, longestPause);

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const over = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", over);
        resolve();
      };
      const timer = setTimeout(over, timerFor(milliseconds));
      signal.addEventListener("abort", over, { once: true });
    }),
};
