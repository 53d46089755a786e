import { onTestFinished } from "vitest";

/** Whether a timer is set by the product, and not by a library that keeps connections. */
const isOwn = (frame: string | undefined): boolean => /\/(?:core|plugins|providers)\//.test(frame ?? "");

/** Watches timers from now on. What it returns tells who has set those that have neither gone off nor been cleared. */
export function watchTimers(): () => readonly string[] {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const live = new Map<unknown, string>();
  const watched = (run: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) => {
    const goOff = () => {
      live.delete(timer);
      run(...given);
    };
    const timer = set(goOff, milliseconds);
    const [, , frame] = new Error().stack?.split("\n") ?? [];
    if (isOwn(frame)) live.set(timer, `${milliseconds} ms ${frame?.trim()}`);
    return timer;
  };
  globalThis.setTimeout = Object.assign(watched, set) as unknown as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    live.delete(timer);
    clear(timer);
  };
  onTestFinished(() => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }));
  return () => [...live.values()];
}
