import { z } from "zod";
import { statusCodes } from "../../core/index.ts";

const mostAttempts = 5;
/** Tried again unless a config says otherwise (routing-config.md 8.1). */
const defaultStatuses = [429, 500, 502, 503, 504, 529];

const attempts = z.int().min(0);

/** When a leaf is called again. */
export interface RetryPolicy {
  /** Calls after the first. */
  readonly attempts: number;
  readonly statuses: ReadonlySet<number>;
  readonly retryAfter: boolean;
  readonly jitter: boolean;
}

/** The field `retry` of a config, aliases included. */
export const retryPolicy = z
  .strictObject({
    attempts: attempts
      .optional()
      .describe(`Required. Calls after the first; more than ${mostAttempts} are lowered to ${mostAttempts}.`),
    max_attempts: attempts.optional().describe("Another name for `attempts`."),
    on_status_codes: statusCodes
      .optional()
      .describe(`Statuses tried again, in place of ${defaultStatuses.join(", ")}. Failed connections always are.`),
    use_retry_after_headers: z.boolean().optional().describe("Wait as long as a 429 asks for, up to a minute in all."),
    use_retry_after_header: z.boolean().optional().describe("Another name for `use_retry_after_headers`."),
    jitter: z.boolean().default(false).describe("Draw each wait from its upper half, so that callers spread."),
  })
  .transform((given, context): RetryPolicy => {
    const wanted = given.attempts ?? given.max_attempts;
    if (wanted === undefined) context.addIssue({ code: "custom", path: ["attempts"], message: "required" });
    return {
      attempts: Math.min(wanted ?? 0, mostAttempts),
      statuses: new Set(given.on_status_codes ?? defaultStatuses),
      retryAfter: given.use_retry_after_headers ?? given.use_retry_after_header ?? false,
      jitter: given.jitter,
    };
  });
