import { expect } from "vitest";
import type { LogRow } from "../../core/index.ts";
import { isHit, picodollars, type Seen } from "./records.ts";
import { type budgetKeys, budgetNamed, budgetTypes, type World } from "./world.ts";

type BudgetKey = (typeof budgetKeys)[number];

/** How a budget names what it counts: a bar parts the values of several keys. */
const escaped = (value: string): string => value.replaceAll("%", "%25").replaceAll("|", "%7C");

/** Whose budget a record is counted against; undefined is none. */
const namedBy: { readonly [Key in BudgetKey]: (row: LogRow) => string | undefined } = {
  api_key: ({ api_key_id }) => api_key_id ?? undefined,
  "metadata.plan": (row) => row["metadata.value"][row["metadata.key"].indexOf("plan")],
  virtual_key: ({ virtual_key }) => virtual_key ?? undefined,
  model: ({ ai_org, ai_model }) => (ai_org === null ? undefined : `@${ai_org}/${ai_model}`),
};

const isAtTarget = (key: BudgetKey): boolean => key === "virtual_key" || key === "model";

/** What each budget shows is the sum of the records it is about. */
export async function expectBudgets(world: World, seen: Seen): Promise<void> {
  for (const key of Object.keys(namedBy) as BudgetKey[])
    for (const type of budgetTypes) {
      const wanted = sumsOf(key, type, seen);
      const shown = await entitiesOf(world, budgetNamed(key, type));
      expect(shown, `${key} ${type}`).toEqual(wanted);
    }
}

async function entitiesOf({ recording }: World, policy: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (let page = 0, left = true; left; page++) {
    const path = `/policies/usage-limits/${policy}/entities?page_size=100&current_page=${page}`;
    const { status, body } = await recording.admin("GET", path);
    expect(status, JSON.stringify(body)).toBe(200);
    left = body.data.length === 100;
    for (const { value_key, current_usage } of body.data)
      if (current_usage !== 0)
        found[value_key] = policy.endsWith("-cost") ? Math.round(current_usage * 1e12) : current_usage;
  }
  return found;
}

function sumsOf(key: BudgetKey, type: (typeof budgetTypes)[number], seen: Seen): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of seen.rows) {
    const value = namedBy[key](row);
    if (value === undefined) continue;
    const amount = amountOf(row, type, isAtTarget(key), seen);
    const name = `${key}:${escaped(value)}`;
    if (amount > 0) sums[name] = (sums[name] ?? 0) + amount;
  }
  return sums;
}

/** A budget of requests counts each target that was called, or each request that anybody answered. */
function amountOf(row: LogRow, type: (typeof budgetTypes)[number], atTarget: boolean, seen: Seen): number {
  if (type === "cost") return Number(picodollars(row.cost));
  if (type === "tokens") return row.total_units ?? 0;
  const line = seen.lines.find(({ request }) => request === row.internal_trace_id);
  if (atTarget) return isHit(row) || row.total_units === 0 ? 0 : 1;
  if (row.id !== row.internal_trace_id || line?.role) return 0;
  const isAnswered = isHit(row) || line?.calls.some(({ headersAt }) => headersAt !== undefined);
  return isAnswered ? 1 : 0;
}
