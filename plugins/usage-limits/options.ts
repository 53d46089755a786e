import { z } from "../../core/index.ts";

export const usageOptions = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe("Off: no budget is looked at, and nothing is counted. ${USAGE_LIMITS_ENABLED:-ON}"),
  enforcement: z
    .enum(["soft", "hard"])
    .default("soft")
    .describe(
      "How budgets of keys, workspaces and providers hold; policies say it themselves. `soft` counts what was used " +
        "afterwards, so that what is under way at the same time may overspend; `hard` makes room for it before.",
    ),
  onStoreError: z
    .enum(["local", "deny"])
    .default("local")
    .describe(
      "While the store of the counters is away: count in this process, or answer 503 to what has a budget. Policies may " +
        "say it themselves.",
    ),
  flushInterval: z
    .int()
    .min(100)
    .default(10_000)
    .describe("Milliseconds after which other processes know what this one has counted."),
  syncInterval: z
    .int()
    .min(100)
    .default(60_000)
    .describe(
      "Milliseconds after which what was counted is kept in the records; at each flush where counters are not shared.",
    ),
  settleInterval: z
    .int()
    .min(0)
    .max(10_000)
    .default(100)
    .describe(
      "Milliseconds between two writes of what hard budgets have counted to the records: what comes meanwhile waits for " +
        "the next one.",
    ),
  expectedOutput: z
    .int()
    .min(0)
    .default(500)
    .describe("Tokens that hard budgets make room for where a request sets no bound for its answer."),
  holdFor: z
    .int()
    .min(1_000)
    .default(600_000)
    .describe("Milliseconds after which room that was made for a request is free again, whatever became of it."),
});
