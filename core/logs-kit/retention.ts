import { z } from "zod";

/** How long logs are kept (observability.md section 18). */
export interface Retention {
  /** Days, 0 is for ever: requests and answers with their content. */
  readonly objectDays: number;
  /** The same for rows, and feedback. */
  readonly rowDays: number;
  /** Absent is no limit. */
  readonly maxBytes?: number | undefined;
}

const days = z.int().min(0).max(36_500);

/** The options every store of logs has. */
export const retentionOptions = {
  objectDays: days.default(90).describe("Days that requests and answers are kept with their content; 0 is for ever."),
  rowDays: days
    .default(365)
    .describe("Days that rows (who, what, when, how much) and feedback are kept; 0 is for ever."),
  maxBytes: z
    .int()
    .min(1_000_000)
    .optional()
    .describe("Bytes above which the oldest content is removed, and the oldest rows when no content is left."),
};
