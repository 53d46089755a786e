import { z } from "../../core/index.ts";

/** Bounds of `max_age` and what it is where nobody says, in seconds (routing-config.md 10.2). */
const shortest = 60;
const longest = 7_776_000;
const usual = 604_800;

/** What a config says at a leaf. */
export interface CachePolicy {
  readonly mode: "simple" | "semantic";
  /** Seconds, within the bounds. */
  readonly maxAge?: number;
}

/** The field `cache` of a config: an object, or the mode alone. */
export const cachePolicy = z.preprocess(
  (given) => (typeof given === "string" ? { mode: given } : given),
  z
    .strictObject({
      mode: z
        .enum(["simple", "semantic"])
        .describe("Whether only the same question is answered, or a similar one too."),
      max_age: z.number().optional().describe(`Seconds, from ${shortest} to ${longest}; moved to the nearest bound.`),
    })
    .transform(
      ({ mode, max_age }): CachePolicy =>
        max_age === undefined ? { mode } : { mode, maxAge: Math.floor(Math.min(longest, Math.max(shortest, max_age))) },
    ),
);

/** How long an answer is kept, in seconds; `most` is what the operator allows at most, and gives where nobody says. */
export const ageOf = ({ maxAge }: CachePolicy, most: number | undefined): number =>
  maxAge === undefined ? (most ?? usual) : Math.min(maxAge, most ?? maxAge);
