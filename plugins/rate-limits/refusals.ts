import { limitExceeded } from "../../core/index.ts";
import type { Placed } from "./claims.ts";
import { wordingOf } from "./rules.ts";

/** The 429 of a rate that is reached; `current` is what is counted, and held, and `resetsAt` when there is room again. */
export function rateExceeded({ rule }: Placed, current: bigint, now: number, resetsAt: number): Error {
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
      resetsAt,
      ...(policy && { policy }),
    },
    now,
  );
}
