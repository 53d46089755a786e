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

/** What closes something, and how long it says that may take: milliseconds. */
export interface Closer extends Told<() => unknown> {
  readonly longest?: number | undefined;
}

/**
 * Closes what was opened, last first, and empties the list. Every closer is called, whatever the others do: one that fails is
 * told of, and one that does not settle in `deadlineMs` milliseconds, or in as many as it asks for, is not waited for any longer.
 */
export async function closeAll(closers: Closer[], deadlineMs: number, log: Logger): Promise<void> {
  for (const { plugin, listener: close, longest = 0 } of closers.splice(0).reverse()) {
    const patience = Math.max(deadlineMs, longest);
    try {
      await withDeadline(close(), patience, () => unsettled(patience));
    } catch (error) {
      log.error("closing failed", { plugin, error });
    }
  }
}

/** Milliseconds in which all are closed, where no more than one takes longer than it says. */
export const closedWithin = (closers: readonly Closer[], deadlineMs: number): number =>
  closers.reduce((sum, { longest = 0 }) => sum + longest, deadlineMs);
