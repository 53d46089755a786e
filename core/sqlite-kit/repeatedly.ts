import { timerFor } from "../time/longest-timer.ts";

/** Milliseconds until the next round when one was not enough. */
const soon = 1000;

/** Does a round after each interval, and sooner when the last one says that there is more to do. What it returns ends it. */
export function repeatedly(interval: number, round: () => Promise<boolean>): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const after = (pause: number) => {
    timer = setTimeout(async () => {
      const more = await round();
      if (!stopped) after(more ? Math.min(soon, interval) : interval);
    }, timerFor(pause)).unref();
  };
  after(interval);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
