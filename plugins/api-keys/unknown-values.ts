import { GatewayError } from "../../core/index.ts";

/**
 * Lets through so many questions a second, and as many at once; what it returns throws `throttled` for one too many.
 * Values that were not made here come from elsewhere, or from somebody who tries: the store is not theirs to exhaust.
 */
export function bounded(perSecond: number, now: () => number): () => void {
  let left = perSecond;
  let at = now();
  return () => {
    const time = now();
    left = Math.min(perSecond, left + ((time - at) / 1000) * perSecond);
    at = time;
    if (left < 1)
      throw new GatewayError(
        "throttled",
        "Too many unknown API keys are being tried: whether this is one was not asked.",
        {
          retryAfterSeconds: 1,
        },
      );
    left--;
  };
}
