import {
  type Check,
  type CheckResult,
  type ChecksService,
  type Logger,
  type Redactor,
  writtenInstant,
} from "../../../core/index.ts";
import type { Hook, HookCheck } from "../hook.ts";
import type { Planned } from "../plan.ts";
import { LazyTools, type ToolParts } from "../run/lazy-tools.ts";
import { type CheckEntry, type HookEntry, isGood } from "../run/results.ts";
import { checkEntry, checkedResult, failureOf, measures, type Told } from "../run/run-check.ts";
import { hookEntry } from "../run/run-hook.ts";
import type { VerdictMetrics } from "../run/verdict-metrics.ts";
import type { FormatsByName } from "../texts/beside.ts";
import { holdJudge, type Judge, windowJudge } from "./judge.ts";
import { Lane } from "./lane.ts";
import { GrowingRedaction } from "./redaction.ts";
import { StreamGuard } from "./stream-guard.ts";

/** Whether everything a guardrail does to an answer can be done while it passes. */
export const guardsInPassing = ({ hook }: Planned): boolean =>
  hook.checks.length > 0 && !isChained(hook) && hook.checks.every((one) => redacts(one) || judges(one));

/** Whether a check has to see what another one before it made of the text. */
const isChained = ({ sequential, type, checks }: Hook): boolean =>
  (sequential || type === "mutator") && checks.length > 1 && checks.some(redacts);

const judges = ({ check, hold, parameters, problem }: HookCheck): boolean =>
  check !== undefined &&
  problem === undefined &&
  check.targets?.includes("response") !== false &&
  !waits(check) &&
  (hold !== undefined || windowOf({ check, parameters }) !== undefined);

/** Checks that were seen to give a promise. */
const slow = new WeakSet<Check>();

/** Whether a check asks somebody, and so has no verdict at once. */
const waits = (check: Check): boolean => slow.has(check) || check.run.constructor.name === "AsyncFunction";

const windowOf = ({ check, parameters }: Pick<HookCheck, "check" | "parameters">): number | undefined =>
  check?.windowOf ? check.windowOf(parameters as never) : check?.window;

/** Undefined where a check takes nothing out, or there is no bound to what it looks for. */
function redactorOf({ check, parameters }: HookCheck): Redactor | undefined {
  const redactor = check?.redactor?.(parameters as never);
  return redactor?.window === undefined ? undefined : redactor;
}

const redacting = new WeakMap<HookCheck, boolean>();

/** Whether a check takes something out in passing: found out once, because a redactor is made to say it. */
function redacts(check: HookCheck): boolean {
  let known = redacting.get(check);
  if (known === undefined) {
    known = redactorOf(check) !== undefined;
    redacting.set(check, known);
  }
  return known;
}

/** What one check found out about a stream. */
interface Watched {
  readonly check: HookCheck;
  told: Told;
  transformed: boolean;
  /** Milliseconds. */
  took: number;
}

interface GuardedBy {
  readonly checks: Pick<ChecksService, "tools">;
  readonly formats: FormatsByName;
  readonly log?: Logger | undefined;
}

/** Guardrails that look at a stream while it passes. */
export class GuardedHooks {
  readonly guard: StreamGuard;
  readonly #planned: readonly { readonly planned: Planned; readonly watched: readonly Watched[] }[];
  readonly #tools: ToolParts;
  readonly #log: Logger | undefined;
  readonly #created = writtenInstant(Date.now());

  constructor(planned: readonly Planned[], { checks, formats, log }: GuardedBy) {
    this.#tools = { checks };
    this.#log = log;
    this.#planned = planned.map((one) => ({
      planned: one,
      watched: one.hook.checks.map((check) => ({ check, told: nothingFound, transformed: false, took: 0 })),
    }));
    this.guard = new StreamGuard({ makeLane: (isBeside) => this.#lane(isBeside), now, formats });
  }

  /** Whether one that denied would have its denials look like answers. */
  get deniesSoftly(): boolean {
    return this.#planned.some(({ planned: { hook }, watched }) => hook.softDeny && denies(hook, watched));
  }

  /** What they came to, once the stream is over. */
  ended(metrics: VerdictMetrics | undefined): HookEntry[] {
    metrics?.delayed(this.guard.longestDelay);
    for (const { watched } of this.#planned) for (const { check, took } of watched) metrics?.ran(check.id, took);
    return this.#planned.map(({ planned: { hook }, watched }) => {
      const took = watched.reduce((sum, one) => sum + one.took, 0);
      const entries = watched.map((one) => this.#entry(one));
      return hookEntry(hook, entries, this.#created, took, this.guard.longestDelay);
    });
  }

  #entry({ check, told, transformed, took }: Watched): CheckEntry {
    return checkEntry(check, told, this.#created, took, transformed);
  }

  #lane(isBeside: boolean): Lane {
    const lane: { judges: Judge[]; redactions: GrowingRedaction[] } = { judges: [], redactions: [] };
    for (const { planned, watched } of this.#planned)
      for (const one of watched) {
        if (isBeside && one.check.check && measures(one.check.check, one.check.parameters)) continue;
        const redactor = redactorOf(one.check);
        if (redactor?.window !== undefined)
          lane.redactions.push(this.#redaction(planned, one, redactor, redactor.window));
        else lane.judges.push(this.#judge(planned, one));
      }
    return new Lane(lane.judges, lane.redactions);
  }

  #redaction(planned: Planned, watched: Watched, redactor: Redactor, window: number): GrowingRedaction {
    const found: Record<string, number> = {};
    const passes = this.#passes(planned, watched);
    const counting: Redactor = {
      window,
      context: redactor.context,
      find(text, from, begins) {
        const began = now();
        const findings = redactor.find(text, from, begins);
        watched.took += now() - began;
        return findings;
      },
      replacement(finding, matched) {
        watched.transformed = true;
        found[finding.kind] = (found[finding.kind] ?? 0) + 1;
        watched.told = { ...watched.told, data: { redacted: found } };
        return redactor.replacement(finding, matched);
      },
    };
    // Some fail what they take something out of: each finding is shown to the check.
    return new GrowingRedaction(counting, window, passes);
  }

  #judge(planned: Planned, watched: Watched): Judge {
    const { check, hold, parameters } = watched.check;
    const passes = this.#passes(planned, watched);
    const window = windowOf({ check, parameters } as HookCheck);
    return hold ? holdJudge(hold, passes, now, window) : windowJudge(window ?? 1, passes);
  }

  /** Whether a part of the text may go on. */
  #passes(planned: Planned, watched: Watched): (text: string) => boolean {
    const { check, parameters } = watched.check;
    const { hook } = planned;
    const tools = new LazyTools(watched.check, planned, this.#tools);
    const log = this.#log;
    return (text) => {
      const began = now();
      const told = verdictOn(text);
      watched.took += now() - began;
      watched.told = worse(watched.told, told);
      return !mayDeny(hook) || isGood({ ...told, fail_on_error: watched.check.failOnError });
    };
    function verdictOn(text: string): Told {
      if (!check) return nothingFound;
      try {
        const result = check.run({ text, texts: [text], target: "response" }, parameters as never, tools);
        if (!(result instanceof Promise)) return toldBy(checkedResult(result));
        result.catch(() => {});
      } catch (error) {
        return failureOf(watched.check, error, watched.told.error ? undefined : log);
      }
      // Nothing was found to be in order: that is a failure, not an error that lets everything pass.
      slow.add(check);
      return { verdict: false, data: { explanation: "The check gave no verdict at once, which streams need." } };
    }
  }
}

const now = (): number => performance.now();
const nothingFound: Told = { verdict: true, data: null };
const toldBy = ({ verdict, data = null }: CheckResult): Told => ({ verdict, data });

const mayDeny = ({ deny, type }: Hook): boolean => deny && type === "guardrail";

const denies = (hook: Hook, watched: readonly Watched[]): boolean =>
  mayDeny(hook) && watched.some(({ told, check: { failOnError } }) => !isGood({ ...told, fail_on_error: failOnError }));

/** What is said of a text is the worst that was said of a part of it. */
const worse = (one: Told, other: Told): Told =>
  weight(other) > weight(one) || (one === nothingFound && weight(other) === 0) ? other : one;
const weight = ({ verdict, error }: Told): number => (error ? 1 : verdict ? 0 : 2);
