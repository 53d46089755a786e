import type { ChecksService, Counter, Histogram, MetricsService } from "../../../core/index.ts";
import type { Side } from "../config/fields.ts";
import { type CheckEntry, type HookEntry, isGood } from "./results.ts";

/** What was done about what a check said; spans of guardrails have the same words. */
type Action = "allow" | "deny" | "transform" | "observe";

/** Counts what checks say, and the time they take, for whoever watches the process. */
export class VerdictMetrics {
  readonly #checks: Pick<ChecksService, "named">;
  readonly #verdicts: Counter;
  readonly #durations: Histogram;
  readonly #delays: Histogram;

  constructor(metrics: MetricsService, checks: Pick<ChecksService, "named">) {
    this.#checks = checks;
    this.#verdicts = metrics.counter({
      name: "guardrail_verdict_count",
      help: "Verdicts of guardrail checks, and what was done about them.",
      labels: ["check", "hook", "verdict", "action"],
    });
    this.#durations = metrics.histogram({
      name: "guardrail_check_duration_milliseconds",
      help: "Time a guardrail check took; of a stream, all its parts together.",
      labels: ["check"],
    });
    this.#delays = metrics.histogram({
      name: "guardrail_stream_delay_milliseconds",
      help: "The longest a part of a guarded stream was held back.",
      labels: [],
    });
  }

  /** `effective`: something could still be done about them. */
  judged(side: Side, hooks: readonly HookEntry[], effective: boolean): void {
    const hook = side === "input" ? "beforeRequestHook" : "afterRequestHook";
    for (const entry of hooks)
      for (const check of entry.checks)
        this.#verdicts.add(1, this.#labelOf(check.id), hook, verdictOf(check), actionOf(entry, check, effective));
  }

  ran(id: string, milliseconds: number): void {
    this.#durations.observe(milliseconds, this.#labelOf(id));
  }

  delayed(milliseconds: number): void {
    this.#delays.observe(milliseconds);
  }

  /** What is no check of this deployment is text of whoever wrote the guardrail, and would make series without end. */
  #labelOf(id: string): string {
    return this.#checks.named(id) ? id : "unknown";
  }
}

const verdictOf = ({ verdict, error }: CheckEntry): string => (error ? "error" : verdict ? "pass" : "fail");

function actionOf(hook: HookEntry, check: CheckEntry, effective: boolean): Action {
  if (effective && !hook.async && hook.deny && !isGood(check)) return "deny";
  if (effective && !hook.async && check.transformed) return "transform";
  return check.verdict && !check.transformed ? "allow" : "observe";
}
