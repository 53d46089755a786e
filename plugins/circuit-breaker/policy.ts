import { statusCodes, z } from "../../core/index.ts";

/** The field `cb_config` of a config (routing-config.md 11.1). */
export const breakerPolicy = z
  .strictObject({
    failure_threshold: z.int().min(1).optional().describe("Opens after this many failures."),
    failure_threshold_percentage: z
      .number()
      .min(1)
      .max(100)
      .optional()
      .describe("Opens when this share of the calls failed, in percent. One of the two thresholds is required."),
    minimum_requests: z.int().min(1).default(1).describe("Calls counted before their share is judged."),
    cooldown_interval: z
      .int()
      .min(30_000)
      .describe("Milliseconds a circuit stays open, and in which failures are counted together."),
    failure_status_codes: statusCodes.optional().describe("What is a failure, in place of 500 and above."),
    half_open_requests: z
      .int()
      .min(1)
      .optional()
      .describe(
        "After the cooldown, calls each process lets through until one has shown whether all is well; absent: all.",
      ),
  })
  .refine((given) => given.failure_threshold !== undefined || given.failure_threshold_percentage !== undefined, {
    message: "needs failure_threshold or failure_threshold_percentage",
  });

/** When the circuit of a leaf opens, and for how long. */
export type BreakerPolicy = z.output<typeof breakerPolicy>;
