import { expect } from "vitest";
import type { HookResults, LogRow } from "../../core/index.ts";
import { totalOf } from "../../plugins/metrics/testing.ts";
import { remarks } from "./asked.ts";
import type { Opinion } from "./search.ts";
import { leafOf } from "./taking.ts";
import type { World } from "./world.ts";

type Side = keyof HookResults;

interface Said {
  readonly async: boolean;
  readonly deny: boolean;
  readonly verdict: boolean;
  readonly feedback: { readonly value: number; readonly weight: number };
  readonly checks: readonly unknown[];
}

const hooksIn = (results: HookResults | undefined, side: Side): readonly Said[] =>
  (results?.[side] ?? []) as unknown as readonly Said[];

const guarded: ReadonlySet<string> = new Set(["chatComplete", "messages", "createModelResponse", "complete"]);

/**
 * A record has what the guardrails of its own target said, and no other's; all of them are counted. What they remarked, which
 * is feedback.
 */
export async function expectVerdicts(world: World, rows: readonly LogRow[]): Promise<Opinion[]> {
  const said = { before_request_hooks: 0, after_request_hooks: 0 };
  const remarked: Opinion[] = [];
  for (const row of rows) {
    const { body } = await world.recording.admin("GET", `/logs/${row.id}`);
    const results = body.hook_results as HookResults | undefined;
    const { guard } = leafOf(row.ai_model) ?? {};
    const told = JSON.stringify([row, guard, results]);
    for (const side of Object.keys(said) as Side[]) {
      const hooks = hooksIn(results, side);
      said[side] += hooks.flatMap(({ checks }) => checks).length;
      const own = guard === "after" ? "after_request_hooks" : "before_request_hooks";
      if (!guard || side !== own) expect(hooks, told).toEqual([]);
      // What is asked is always about the time: that is what the guards before and beside deny.
      else if (guard !== "after" && guarded.has(row.endpoint_type))
        expect(hooks, told).toMatchObject([{ verdict: false, deny: true, async: guard === "beside" }]);
      for (const { verdict, feedback } of hooks) {
        expect(feedback, told).toMatchObject((verdict ? remarks.on_success : remarks.on_fail).feedback);
        remarked.push({ trace: row.trace_id, value: feedback.value, weight: feedback.weight });
      }
    }
  }
  const families = await world.metrics();
  const counted = (hook: string) => totalOf(families, "guardrail_verdict_count", { hook }) ?? 0;
  expect(counted("beforeRequestHook")).toBe(said.before_request_hooks);
  expect(counted("afterRequestHook")).toBeGreaterThanOrEqual(said.after_request_hooks);
  return remarked;
}
