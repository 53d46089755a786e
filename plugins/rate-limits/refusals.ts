import { limitExceeded } from "../../core/index.ts";
import type { Placed } from "./claims.ts";
import { wordingOf } from "./rules.ts";

/** The 429 of a rate that is reached; `current` is what is counted, and held. */
export function rateExceeded({ rule, window }: Placed, current: bigint, now: number): Error {
  const { level, subject, type, unit, limit, policy } = rule;
  return limitExceeded(
    {
      kind: "rate",
      level,
      subject,
      wording: wordingOf(rule),
      type,
      unit,
      limit: Number(limit),
      current: Number(current),
      resetsAt: window.end,
      ...(policy && { policy }),
    },
    now,
  );
}
