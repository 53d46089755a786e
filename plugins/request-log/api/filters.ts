import { fields, jsonOr, type LogColumn, type LogCondition, z } from "../../../core/index.ts";

/** As JSON writes numbers: small costs are shown as `7e-7`. */
const number = (of: z.ZodNumber) =>
  z
    .string()
    .regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i, "must be a number")
    .transform(Number)
    .pipe(of)
    .optional();

const count = number(z.int().min(0));
const cents = number(z.number().min(0));
const opinion = number(z.number().min(-10).max(10));

/** Values of a filter, and conditions with several parts each: stores refuse what goes far beyond it as if they were down. */
const mostValues = 1000;
const mostConditions = 100;

const atMost = (most: number) =>
  fields.commaList.refine(({ length }) => length <= most, `must be ${most} values at most`);

const list = atMost(mostValues).optional();

const statusCodes = atMost(mostValues)
  .transform((codes) => codes.map(Number))
  .pipe(z.array(z.int("must be a list of status codes: 500,529").min(100).max(599)))
  .optional();

const metadata = z
  .string()
  .transform((text, context) => {
    const pairs = z.record(z.string(), z.string()).safeParse(jsonOr(text));
    if (pairs.success && Object.keys(pairs.data).length <= mostConditions) return pairs.data;
    const message = pairs.success
      ? `must have ${mostConditions} keys at most`
      : 'must be a JSON object of texts: {"plan":"pro"}';
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .optional();

const models = atMost(mostConditions)
  .transform((pairs, context) =>
    pairs.map((pair) => {
      const [, provider = "", model = ""] = /^(.+?)__(.+)$/.exec(pair) ?? [];
      if (provider === "") context.addIssue({ code: "custom", message: `"${pair}" is not provider__model` });
      return { provider, model };
    }),
  )
  .optional();

/** What logs, and later analytics of them, are filtered by (control-plane.md section 22.2). */
export const logFilters = z.object({
  workspace_slug: z.string().min(1).optional(),
  time_of_generation_min: fields.instant.optional().describe("From here on."),
  time_of_generation_max: fields.instant.optional().describe("Before there."),
  total_units_min: count,
  total_units_max: count,
  prompt_token_min: count,
  prompt_token_max: count,
  completion_token_min: count,
  completion_token_max: count,
  cost_min: cents,
  cost_max: cents,
  status_code: statusCodes,
  weighted_feedback_min: opinion,
  weighted_feedback_max: opinion,
  virtual_keys: list,
  configs: list,
  prompt_slug: list,
  trace_id: list,
  span_id: list,
  api_key_ids: list,
  cache_status: list,
  ai_org_model: models,
  metadata,
});

type Filters = z.output<typeof logFilters>;

/** Lists by the columns any of which may have one of their values. */
const lists = {
  virtual_keys: ["virtual_key"],
  configs: ["config", "config_id"],
  prompt_slug: ["prompt_slug", "prompt_id"],
  trace_id: ["trace_id"],
  span_id: ["span_id"],
  api_key_ids: ["api_key_id"],
  cache_status: ["cache_status"],
  status_code: ["response_status_code"],
} as const satisfies { readonly [Filter in keyof Filters]?: readonly LogColumn[] };

const bounds = [
  ["total_units", "total_units_min", "total_units_max"],
  ["req_units", "prompt_token_min", "prompt_token_max"],
  ["res_units", "completion_token_min", "completion_token_max"],
  ["cost", "cost_min", "cost_max"],
] as const satisfies readonly (readonly [LogColumn, keyof Filters, keyof Filters])[];

const bounded = (min: number | undefined, max: number | undefined) => ({
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
});

export function conditionsOf(filters: Filters): LogCondition[] {
  const conditions: LogCondition[] = [];
  for (const [filter, columns] of Object.entries(lists) as [keyof typeof lists, readonly LogColumn[]][]) {
    const values = filters[filter];
    if (values?.length) conditions.push({ any: columns.map((column) => ({ column, in: values })) });
  }
  for (const [column, min, max] of bounds)
    if (filters[min] !== undefined || filters[max] !== undefined)
      conditions.push({ column, ...bounded(filters[min], filters[max]) });
  const { weighted_feedback_min: min, weighted_feedback_max: max, workspace_slug: slug } = filters;
  if (min !== undefined || max !== undefined) conditions.push({ feedback: bounded(min, max) });
  if (filters.metadata) conditions.push({ metadata: filters.metadata });
  if (filters.ai_org_model?.length) conditions.push({ any: filters.ai_org_model.map(modelCondition) });
  if (slug !== undefined)
    conditions.push({ any: (["workspace_slug", "workspace"] as const).map((column) => ({ column, in: [slug] })) });
  return conditions;
}

const modelCondition = ({ provider, model }: { readonly provider: string; readonly model: string }): LogCondition => ({
  all: [
    { column: "ai_org", in: [provider] },
    { column: "ai_model", in: [model] },
  ],
});
