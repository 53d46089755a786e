import { GatewayError } from "../../core/index.ts";

const minute = 60_000;

/** Counts the calls of each credential in windows of a minute. What it returns throws `throttled` for one too many. */
export function throttle(limit: number, now: () => number): (credential: string) => void {
  let window = 0;
  const counts = new Map<string, number>();
  return (credential) => {
    if (limit === 0) return;
    const time = now();
    const current = Math.floor(time / minute);
    if (current !== window) counts.clear();
    window = current;
    const count = (counts.get(credential) ?? 0) + 1;
    counts.set(credential, count);
    if (count <= limit) return;
    throw new GatewayError("throttled", `More than ${limit} management calls in a minute.`, {
      retryAfterSeconds: ((current + 1) * minute - time) / 1000,
    });
  };
}
