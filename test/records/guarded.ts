import { expect } from "vitest";
import type { HookResults, LogRow } from "../../core/index.ts";
import { totalOf } from "../../plugins/metrics/testing.ts";
import { leafOf } from "./taking.ts";
import type { World } from "./world.ts";

type Side = keyof HookResults;

const checksIn = (results: HookResults | undefined, side: Side): readonly { readonly verdict: boolean }[] =>
  (results?.[side] ?? []).flatMap(({ checks }) => checks as readonly { readonly verdict: boolean }[]);

const guarded: ReadonlySet<string> = new Set(["chatComplete", "messages", "createModelResponse", "complete"]);

/** A record has what the guardrails of its own target said, and no other's; all of them are counted. */
export async function expectVerdicts(world: World, rows: readonly LogRow[]): Promise<void> {
  const said = { before_request_hooks: 0, after_request_hooks: 0 };
  for (const row of rows) {
    const { body } = await world.recording.admin("GET", `/logs/${row.id}`);
    const results = body.hook_results as HookResults | undefined;
    const leaf = leafOf(row.ai_model);
    const told = JSON.stringify([row, leaf, results]);
    for (const side of Object.keys(said) as Side[]) {
      const checks = checksIn(results, side);
      said[side] += checks.length;
      const guard = side === "before_request_hooks" ? "before" : "after";
      if (leaf?.guard !== guard) expect(checks, told).toEqual([]);
      // What is asked is always about the time: that is what the guards before deny.
      else if (guard === "before" && guarded.has(row.endpoint_type))
        expect(
          checks.map(({ verdict }) => verdict),
          told,
        ).toEqual([false]);
    }
  }
  const families = await world.metrics();
  const counted = (hook: string) => totalOf(families, "guardrail_verdict_count", { hook }) ?? 0;
  expect(counted("beforeRequestHook")).toBe(said.before_request_hooks);
  expect(counted("afterRequestHook")).toBeGreaterThanOrEqual(said.after_request_hooks);
}
