import { z } from "zod";

/** Fields that several records have (control-plane.md sections 1.2 and 1.11). */

export const name = z.string().min(1).max(255);
export const description = z.string().max(1024).nullable();
export const email = z.email();

/** Sets counters to zero; reads show 0, which may be sent back. */
export const resetUsage = z.union([z.boolean(), z.literal([0, 1])]).transform(Boolean);

/** Which workspace a call is about; `ManagementCall.workspace` finds it. */
export const workspace = z.string().optional().describe("Id or slug; a key of a workspace has only its own.");

/** An instant of ISO 8601; one without a zone is UTC. Its output has milliseconds. */
export const instant = z
  .string()
  .refine((text) => Number.isFinite(momentOf(text)), "must be an ISO 8601 instant: 2026-03-09T07:55:25Z")
  .transform((text) => new Date(momentOf(text)).toISOString());

const written = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)([zZ]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** `Date.parse` alone would guess: it takes many another date, in the zone of the machine, and days that there are not. */
function momentOf(text: string): number {
  const [, date, time = "00:00", zone = "Z"] = written.exec(text) ?? [];
  const day = Date.parse(`${date}T00:00:00Z`);
  if (!Number.isFinite(day) || new Date(day).toISOString().slice(0, 10) !== date) return Number.NaN;
  return Date.parse(`${date}T${time}${zone.length === 3 ? `${zone}:00` : zone.toUpperCase()}`);
}

/** An instant at the midnight before it, UTC. */
export const midnight = instant.transform((text) => `${text.slice(0, 10)}T00:00:00.000Z`);

/** One of a kind, or a list of them: both are accepted everywhere. */
export const oneOrMany = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema.transform((one) => [one]), z.array(schema)]);

/**
 * Amounts of budgets stay below it: counters hold as many dollars, in picodollars (10^27), and whole numbers of JSON are
 * exact up to there, and written without an exponent.
 */
const mostCounted = 10 ** 15;

/** An amount of a budget: US dollars, tokens or requests. */
export const budgetAmount = z
  .number()
  .lt(mostCounted, { error: `must be less than ${mostCounted} (10^15): counters hold no more`, abort: true });

const wholeAmount = budgetAmount.int().min(1).nullable().default(null);

/** A budget: in US dollars for `cost`, in tokens for `tokens`. */
export const usageLimits = z
  .object({
    credit_limit: wholeAmount.describe("US dollars for cost, tokens for tokens."),
    type: z.enum(["cost", "tokens"]).default("cost"),
    alert_threshold: wholeAmount,
    periodic_reset: z.enum(["monthly", "weekly"]).nullable().default(null),
    periodic_reset_days: z.int().min(1).max(365).nullable().default(null),
    next_usage_reset_at: midnight.nullable().default(null),
  })
  .superRefine(({ type, credit_limit, alert_threshold, periodic_reset, periodic_reset_days }, context) => {
    const wrong = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (type === "tokens" && credit_limit !== null && credit_limit < 100)
      wrong("credit_limit", "must be at least 100 tokens");
    if (alert_threshold !== null && credit_limit !== null && alert_threshold >= credit_limit)
      wrong("alert_threshold", "must be less than credit_limit");
    if (periodic_reset !== null && periodic_reset_days !== null)
      wrong("periodic_reset_days", "excludes periodic_reset: give one of them");
  });

/** A budget that is being set: its next reset lies ahead. One that has long been set may have had it. */
export const newUsageLimits = usageLimits.refine(
  ({ next_usage_reset_at: next }) => next === null || Date.parse(next) > Date.now(),
  { path: ["next_usage_reset_at"], message: "must be at a midnight (UTC) still to come" },
);

/** How many requests or tokens in a window; 0 lets none through. */
export const rateLimit = z.object({
  type: z.enum(["requests", "tokens"]),
  unit: z.enum(["rps", "rpm", "rph", "rpd", "rpw"]),
  value: z.int().min(0),
});

export const rateLimits = oneOrMany(rateLimit).superRefine((limits, context) => {
  const seen = new Set<string>();
  for (const [at, { type, unit }] of limits.entries()) {
    if (seen.has(`${type} ${unit}`))
      context.addIssue({ code: "custom", path: [at], message: `a second limit of ${type} per ${unit}` });
    seen.add(`${type} ${unit}`);
  }
});

export const tags = z
  .record(z.string().min(1).max(128), z.string().max(256))
  .refine((pairs) => Object.keys(pairs).length <= 50, "may hold 50 pairs at most")
  .nullable();

/** `tags` of a query: a JSON object; a record matches when it carries every pair. */
export const tagsQuery = z.string().transform((text, context) => {
  try {
    return tags.parse(JSON.parse(text)) ?? {};
  } catch {
    context.addIssue({ code: "custom", message: "must be a JSON object of texts" });
    return z.NEVER;
  }
});

/** A list in a query: `a,b`. */
export const commaList = z.string().transform((text) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean),
);

/** Which field of a record gets its value from which secret. */
export const secretMappings = z
  .array(
    z.object({
      target_field: z.string().min(1),
      secret_reference_id: z.string().min(1),
      secret_key: z.string().max(255).nullable().optional(),
      value_format: z.enum(["string", "json"]).nullable().optional(),
    }),
  )
  .superRefine((mappings, context) => {
    const fields = mappings.map(({ target_field }) => target_field);
    for (const [at, field] of fields.entries())
      if (fields.indexOf(field) < at)
        context.addIssue({ code: "custom", path: [at, "target_field"], message: "is mapped twice" });
  });

const multiplier = z.number().min(0).nullable().optional();
const multiplierNames = [
  "default",
  "request_token",
  "response_token",
  "cache_read_input_token",
  "cache_write_input_token",
  "reasoning_token",
  "request_audio_token",
  "response_audio_token",
  "cache_read_audio_input_token",
  "request_text_token",
  "response_text_token",
  "cache_read_text_input_token",
  "cache_write_text_input_token",
  "request_image_token",
  "response_image_token",
  "cache_read_image_input_token",
  "cache_write_image_input_token",
  "prediction_accepted_token",
  "prediction_rejected_token",
] as const;

/** What prices are multiplied by. */
export const pricingAdjustments = z
  .strictObject({
    multiplier: z.strictObject({
      ...(Object.fromEntries(multiplierNames.map((field) => [field, multiplier])) as Record<
        (typeof multiplierNames)[number],
        typeof multiplier
      >),
      image: z.strictObject({ default: multiplier }).nullable().optional(),
      additional_units: z.record(z.string(), z.number().min(0).nullable()).nullable().optional(),
    }),
  })
  .nullable();
