import { z } from "zod";
import type { Strategy } from "../../core/index.ts";
import { fallback, movesOn } from "./fallback.ts";

const error = "must be a status code from 100 to 599";

/** Numbers, or their digits as text. */
const statusCode = z.union(
  [
    z.int().min(100).max(599),
    z
      .string()
      .regex(/^[1-5]\d\d$/)
      .transform(Number),
  ],
  { error },
);

const schema = z.object({
  on_status_codes: z
    .array(statusCode)
    .optional()
    .describe("Final statuses of a target that make the next one be tried; without a list, everything but 2xx."),
});

type Options = z.output<typeof schema>;

export const fallbackStrategy: Strategy = {
  mode: "fallback",
  schema,
  compile(options, children) {
    const goesOn = movesOn((options as Options).on_status_codes);
    return (walk) => fallback(children, goesOn, walk);
  },
};
