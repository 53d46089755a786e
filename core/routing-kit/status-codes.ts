import { z } from "zod";

const outOfRange = { error: "must be a status code from 100 to 599" };

/** A list of status codes in a config; their digits as text are understood too (routing-config.md 3.2, rule 9). */
export const statusCodes = z.array(
  z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^[1-5]\d\d$/)
          .transform(Number),
      ],
      outOfRange,
    )
    .pipe(z.int().min(100, outOfRange).max(599, outOfRange)),
);
