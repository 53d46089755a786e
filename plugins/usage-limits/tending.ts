import { atMost, type CountersService, timerFor } from "../../core/index.ts";
import type { Accounts } from "./accounts.ts";

export interface TendingOptions {
  /** Milliseconds. */
  readonly flushInterval: number;
  readonly syncInterval: number;
  readonly shared: CountersService["shared"];
}

/** Milliseconds that the end of this process waits for what is not told yet. */
export const patience = 5_000;

/** Tells the counters and the records what was used, now and then. What is returned does so a last time. */
export function tending(
  accounts: Accounts,
  { flushInterval, syncInterval, shared }: TendingOptions,
): () => Promise<void> {
  const flush = every(flushInterval, () => accounts.flush());
  // Counters of one machine end with it: what is not kept then is lost.
  const sync = every(shared === "deployment" ? syncInterval : Math.min(flushInterval, syncInterval), () =>
    accounts.sync(),
  );
  return async () => {
    flush.stop();
    sync.stop();
    await atMost(patience, accounts.close());
  };
}

/** One run at a time: one that takes longer is not begun a second time. */
function every(milliseconds: number, run: () => Promise<void>): { stop(): void } {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    void run().finally(() => {
      running = false;
    });
  }, timerFor(milliseconds));
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
