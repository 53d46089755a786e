import type { Logger } from "./model/logger.ts";
import { isThenable, unsettled, withDeadline } from "./time/deadline.ts";

/** What a plugin wants to be called for when something happens, with the name it has in the config file. */
export interface Told<Listener> {
  readonly plugin: string;
  readonly listener: Listener;
}

/**
 * Everybody is told, whatever the others do. What a listener goes on to do is not waited for, but heard: an asynchronous
 * one that fails would end the process as a failure nobody caught.
 */
export function tellAll<Listener extends () => unknown>(
  told: readonly Told<Listener>[],
  failure: string,
  log: Logger,
): void {
  for (const { plugin, listener } of told) {
    const failed = (error: unknown) => log.error(failure, { plugin, error });
    try {
      const going = listener();
      if (isThenable(going)) going.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  }
}

/**
 * Closes what was opened, last first, and empties the list. Every closer is called, whatever the others do: one that fails is
 * told of, and one that does not settle in `deadlineMs` milliseconds is not waited for any longer.
 */
export async function closeAll(closers: Told<() => unknown>[], deadlineMs: number, log: Logger): Promise<void> {
  for (const { plugin, listener: close } of closers.splice(0).reverse()) {
    try {
      await withDeadline(close(), deadlineMs, () => unsettled(deadlineMs));
    } catch (error) {
      log.error("closing failed", { plugin, error });
    }
  }
}
