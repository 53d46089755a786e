import { timerFor } from "./longest-timer.ts";

/**
 * Waits for a promise for at most so many milliseconds: whether it was fulfilled by then. Rejects where it does in that time.
 * Nothing is left of the clock afterwards; until then it keeps the process, for whose end this is mostly asked.
 */
export async function atMost(milliseconds: number, promise: Promise<unknown> | undefined): Promise<boolean> {
  let clock: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    clock = setTimeout(() => resolve(false), timerFor(milliseconds));
  });
  try {
    return await Promise.race([Promise.resolve(promise).then(() => true as const), late]);
  } finally {
    clearTimeout(clock);
  }
}
