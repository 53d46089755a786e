import { CheckError, type CheckResult, type ChecksService, type Redactor } from "../../../core/index.ts";
import type { HookCheck } from "../hook.ts";
import type { Planned } from "../plan.ts";
import { type CheckEntry, type HookEntry, isGood } from "../run/results.ts";
import { hookEntry } from "../run/run-hook.ts";
import { holdJudge, type Judge, windowJudge } from "./judge.ts";
import { Lane } from "./lane.ts";
import { GrowingRedaction } from "./redaction.ts";
import { StreamGuard } from "./stream-guard.ts";

/** Whether everything a guardrail does to an answer can be done while it passes. */
export const guardsInPassing = ({ hook }: Planned): boolean =>
  hook.checks.length > 0 && hook.checks.every((check) => redactorOf(check) !== undefined || judges(check));

const judges = ({ check, hold, parameters, problem }: HookCheck): boolean =>
  check !== undefined &&
  problem === undefined &&
  check.targets?.includes("response") !== false &&
  (hold !== undefined || windowOf({ check, parameters }) !== undefined);

const windowOf = ({ check, parameters }: Pick<HookCheck, "check" | "parameters">): number | undefined =>
  check?.windowOf ? check.windowOf(parameters as never) : check?.window;

/** Undefined where a check takes nothing out, or there is no bound to what it looks for. */
function redactorOf({ check, parameters }: HookCheck): Redactor | undefined {
  const redactor = check?.redactor?.(parameters as never);
  return redactor?.window === undefined ? undefined : redactor;
}

/** What one check found out about a stream. */
interface Watched {
  readonly check: HookCheck;
  verdict: boolean;
  data: unknown;
  error?: CheckEntry["error"];
  transformed: boolean;
}

/** Guardrails that look at a stream while it passes. */
export class GuardedHooks {
  readonly guard: StreamGuard;
  readonly #planned: readonly { readonly planned: Planned; readonly watched: readonly Watched[] }[];
  readonly #checks: Pick<ChecksService, "tools">;
  readonly #created = new Date().toISOString();
  readonly #began = performance.now();

  constructor(planned: readonly Planned[], checks: Pick<ChecksService, "tools">) {
    this.#checks = checks;
    this.#planned = planned.map((one) => ({
      planned: one,
      watched: one.hook.checks.map((check) => ({ check, verdict: true, data: null, transformed: false })),
    }));
    this.guard = new StreamGuard({ makeLane: () => this.#lane(), now: () => performance.now() });
  }

  /** What they came to. */
  entries(): HookEntry[] {
    return this.#planned.map(({ planned: { hook }, watched }) =>
      hookEntry(hook, watched.map(this.#entry), this.#created, performance.now() - this.#began, {
        stream_delay: Math.round(this.guard.longestDelay),
      }),
    );
  }

  readonly #entry = ({ check, verdict, data, error, transformed }: Watched): CheckEntry => ({
    data,
    verdict,
    id: check.id,
    ...(error && { error }),
    execution_time: 0,
    transformed,
    created_at: this.#created,
    log: null,
    fail_on_error: check.failOnError,
  });

  #lane(): Lane {
    const lane: { judges: Judge[]; redactions: GrowingRedaction[] } = { judges: [], redactions: [] };
    for (const { planned, watched } of this.#planned)
      for (const one of watched) {
        const redactor = redactorOf(one.check);
        if (redactor?.window !== undefined) lane.redactions.push(this.#redaction(one, redactor, redactor.window));
        else lane.judges.push(this.#judge(planned, one));
      }
    return new Lane(lane.judges, lane.redactions);
  }

  #redaction(watched: Watched, redactor: Redactor, window: number): GrowingRedaction {
    const found: Record<string, number> = {};
    return new GrowingRedaction(
      {
        window,
        context: redactor.context,
        find: (text, from) => redactor.find(text, from),
        replacement(finding, matched) {
          watched.transformed = true;
          found[finding.kind] = (found[finding.kind] ?? 0) + 1;
          watched.data = { redacted: found };
          return redactor.replacement(finding, matched);
        },
      },
      window,
    );
  }

  #judge({ hook, trusted }: Planned, watched: Watched): Judge {
    const { check, hold } = watched.check;
    const tools = check && this.#checks.tools(check, { trusted, timeout: watched.check.timeout });
    const passes = (text: string): boolean => {
      try {
        const input = { text, texts: [text], target: "response" as const };
        const result = check && tools && check.run(input, watched.check.parameters as never, tools);
        if (result === undefined || result instanceof Promise)
          throw new CheckError("The check gave no verdict at once.");
        told(watched, result);
      } catch (error) {
        watched.verdict = false;
        const message = error instanceof CheckError ? error.message : "The check could not be run.";
        watched.error = { name: error instanceof CheckError ? error.label : "Check error", message };
      }
      return !hook.deny || isGood(this.#entry(watched));
    };
    const window = windowOf(watched.check);
    if (hold) return holdJudge(hold, passes, () => performance.now());
    return windowJudge(window ?? 1, passes);
  }
}

/** One part of a text that fails makes all of it fail. */
function told(watched: Watched, { verdict, data = null }: CheckResult): void {
  if (!watched.verdict) return;
  watched.verdict = verdict;
  watched.data = data;
}
