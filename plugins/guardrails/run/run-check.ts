import {
  type Check,
  CheckError,
  type CheckResult,
  type ChecksService,
  type CheckTools,
  type Exchange,
  type Logger,
  timerFor,
  writtenInstant,
} from "../../../core/index.ts";
import type { HookCheck } from "../hook.ts";
import type { Planned } from "../plan.ts";
import { boundedData, boundedMessage } from "./bounded.ts";
import type { CallsEntry } from "./call-log.ts";
import { LazyTools } from "./lazy-tools.ts";
import type { CheckEntry } from "./results.ts";
import type { Subject } from "./subject.ts";
import type { VerdictMetrics } from "./verdict-metrics.ts";

/** What a check came to, and what it looked at as it left it: the same subject where it changed nothing. */
export interface CheckOutcome {
  readonly entry: CheckEntry;
  readonly result: CheckResult | undefined;
  readonly after: Subject;
}

export interface Around {
  readonly checks: Pick<ChecksService, "tools">;
  readonly exchange: Exchange;
  /** The request does not wait for it, and it goes on where the client has left. */
  readonly beside?: boolean;
  /** Milliseconds a check may take in all, whatever it waits for. */
  readonly deadline: number;
  /** Absent where nobody counts. */
  readonly metrics?: Pick<VerdictMetrics, "ran"> | undefined;
  /** Told of checks that fail themselves; absent where whoever tries one is. */
  readonly log?: Logger | undefined;
}

/** Runs one check. Whatever goes wrong in it is an entry, never a failure of the request. */
export function runCheck(
  check: HookCheck,
  planned: Planned,
  subject: Subject,
  around: Around,
): CheckOutcome | Promise<CheckOutcome> {
  const run = new Run(check, planned, subject, around);
  try {
    const result = started(check, subject, run.tools);
    return result instanceof Promise ? run.awaited(inTime(result, check, around, run.tools)) : run.concluded(result);
  } catch (error) {
    return run.failed(error);
  }
}

/** One run of a check, from its beginning to its entry. */
class Run {
  readonly #check: HookCheck;
  readonly #subject: Subject;
  readonly #around: Around;
  readonly tools: LazyTools;
  readonly #began = performance.now();
  readonly #created = writtenInstant(Date.now());

  constructor(check: HookCheck, planned: Planned, subject: Subject, around: Around) {
    this.#check = check;
    this.tools = new LazyTools(check, planned, around, subject);
    this.#subject = subject;
    this.#around = around;
  }

  async awaited(pending: Promise<CheckResult>): Promise<CheckOutcome> {
    try {
      return this.concluded(await pending);
    } catch (error) {
      return this.failed(error);
    }
  }

  /** Throws where what the check gave, or what it changes, cannot be made use of. */
  concluded(given: CheckResult): CheckOutcome {
    const result = checkedResult(given);
    const { verdict, data = null } = result;
    const changes = isChange(result);
    if (changes && changesBody(result) && this.#subject.request.operation === "embed")
      return this.#outcome({ verdict, data, error: verdict ? unchangeable : undefined });
    if (!changes) return this.#outcome({ verdict, data });
    return this.#changed(result, { verdict, data });
  }

  /** What it changes has to be something that can be sent on; where it is not, a failure is one all the same. */
  #changed(result: CheckResult, told: Told): CheckOutcome {
    try {
      return this.#outcome(told, result, this.#subject.after(result));
    } catch (error) {
      if (told.verdict) throw error;
      return this.#outcome(told);
    }
  }

  failed(error: unknown): CheckOutcome {
    return this.#outcome(failureOf(this.#check, error, this.#around.log));
  }

  #outcome(told: Told, result?: CheckResult, after = this.#subject): CheckOutcome {
    const took = performance.now() - this.#began;
    this.#around.metrics?.ran(this.#check.id, took);
    const entry = checkEntry(this.#check, told, this.#created, took, result !== undefined, this.tools.calls);
    return { entry, result, after };
  }
}

const unchangeable = { name: "NotSupported", message: "redaction not supported for embeddings" };

/** What a check gave, if it is a result at all. */
export function checkedResult(given: CheckResult): CheckResult {
  const result: unknown = given;
  if (typeof result !== "object" || result === null || typeof given.verdict !== "boolean")
    throw new CheckError("The check gave no verdict.", { label: "NoVerdict" });
  const { texts } = given;
  if (
    texts !== undefined &&
    !(Array.isArray(texts) && texts.every((text) => text === null || typeof text === "string"))
  )
    throw new CheckError("The check gave something else than texts in their place.", { label: "NoTexts" });
  return given;
}

function started(
  { check, problem, parameters }: HookCheck,
  subject: Subject,
  tools: CheckTools,
): CheckResult | Promise<CheckResult> {
  if (!check) throw new CheckError(problem ?? "There is no such check.", { label: "CheckUnknown" });
  const { target } = subject;
  const input = measures(check, parameters) ? subject.said : subject.input;
  if (check.targets && !check.targets.includes(target))
    throw new CheckError(`This check looks at ${check.targets.join(" and ")}s only.`, {
      label: "NotForThisSide",
      ...(check.verdictElsewhere !== undefined && { verdict: check.verdictElsewhere }),
    });
  if (check.needsText && input.text === "")
    throw new CheckError("request or response JSON is empty: there is no text to look at.", { label: "NoText" });
  if (subject.request.operation === "embed" && parameters.redact === true)
    throw new CheckError(unchangeable.message, { label: unchangeable.name, verdict: true });
  return check.run(input, parameters as never, tools);
}

/** Whether a check is about what was said as a whole. */
export const measures = ({ measures: said }: Check, parameters: HookCheck["parameters"]): boolean =>
  typeof said === "function" ? said(parameters as never) : said === true;

/** A check that never answers is given up, with what it has asked; its own deadline comes earlier where it asks somebody. */
function inTime(
  running: Promise<CheckResult>,
  { timeout }: HookCheck,
  { deadline }: Around,
  tools: LazyTools,
): Promise<CheckResult> {
  const most = Math.max(deadline, timeout ?? 0);
  return new Promise((resolve, reject) => {
    const late = () => {
      reject(new CheckError(`The check took longer than ${most} ms.`, { label: "TimeoutError" }));
      tools.giveUp();
    };
    const clock = setTimeout(late, timerFor(most));
    running.then(resolve, reject).finally(() => clearTimeout(clock));
  });
}

const isChange = (result: CheckResult): boolean =>
  result.transformed === true || result.headers !== undefined || changesBody(result);

const changesBody = ({ texts, json, body }: CheckResult): boolean =>
  texts?.some((text) => text !== null) === true || json !== undefined || body !== undefined;

export interface Told {
  readonly verdict: boolean;
  readonly data: unknown;
  readonly error?: CheckEntry["error"] | undefined;
}

/** What went wrong in a check of our own making is told in general words; what it says itself, in its own. */
export function failureOf({ id, check }: HookCheck, error: unknown, log?: Logger): Told {
  const usual = check?.verdictOnError ?? false;
  if (!(error instanceof CheckError)) {
    log?.warn("a check failed", { check: id, error });
    return { verdict: false, data: null, error: { name: "Check error", message: "The check could not be run." } };
  }
  const { label, message, data, verdict = usual } = error;
  return { verdict, data: data ?? null, error: { name: label, message } };
}

/** What a check said, as it is written down. `took`: milliseconds. */
export function checkEntry(
  { id, failOnError }: HookCheck,
  { verdict, data, error }: Told,
  created: string,
  took: number,
  transformed: boolean,
  log: CallsEntry | null = null,
): CheckEntry {
  const entry = {
    data: boundedData(data),
    verdict,
    id,
    execution_time: Math.round(took),
    transformed,
    created_at: created,
    log,
    fail_on_error: failOnError,
  };
  return error ? Object.assign(entry, { error: { name: error.name, message: boundedMessage(error.message) } }) : entry;
}
