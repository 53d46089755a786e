import {
  CheckError,
  type CheckResult,
  type ChecksService,
  type CheckTools,
  type Exchange,
} from "../../../core/index.ts";
import type { Hook, HookCheck } from "../hook.ts";
import { boundedData, boundedMessage } from "./bounded.ts";
import type { CheckEntry } from "./results.ts";
import type { Subject } from "./subject.ts";

/** What a check came to, with what it changes. */
export interface CheckOutcome {
  readonly entry: CheckEntry;
  readonly result?: CheckResult;
}

export interface Surroundings {
  readonly checks: Pick<ChecksService, "tools">;
  readonly exchange: Exchange;
  readonly hook: Pick<Hook, "credentials">;
  readonly trusted: boolean;
  /** Milliseconds a check may take in all, whatever it waits for. */
  readonly deadline: number;
}

/** Runs one check. Whatever goes wrong in it is an entry, never a failure of the request. */
export function runCheck(
  check: HookCheck,
  subject: Subject,
  around: Surroundings,
): CheckOutcome | Promise<CheckOutcome> {
  const began = performance.now();
  const created = new Date().toISOString();
  const concluded = (given: CheckResult): CheckOutcome => {
    const result = checkedResult(given);
    const { verdict, data = null } = result;
    const changes = isChange(result);
    if (changes && subject.request.operation === "embed")
      return { entry: entryOf(check, created, began, { verdict, data, ...(verdict && { error: unchangeable }) }) };
    // What it changes has to be something that can be sent on.
    if (changes) subject.after(result);
    return { entry: entryOf(check, created, began, { verdict, data }, changes), result };
  };
  const failed = (error: unknown): CheckOutcome => ({
    entry: entryOf(check, created, began, failureOf(check, error)),
  });
  try {
    const result = started(check, subject, around);
    return result instanceof Promise ? inTime(result, check, around).then(concluded).catch(failed) : concluded(result);
  } catch (error) {
    return failed(error);
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

function started(hookCheck: HookCheck, subject: Subject, around: Surroundings): CheckResult | Promise<CheckResult> {
  const { check, problem, parameters } = hookCheck;
  if (!check) throw new CheckError(problem ?? "There is no such check.", { label: "CheckUnknown" });
  const { input, target } = subject;
  if (check.targets && !check.targets.includes(target))
    throw new CheckError(`This check looks at ${check.targets.join(" and ")}s only.`, { label: "NotForThisSide" });
  if (check.needsText && input.text === "")
    throw new CheckError("request or response JSON is empty: there is no text to look at.", { label: "NoText" });
  if (subject.request.operation === "embed" && parameters.redact === true)
    throw new CheckError(unchangeable.message, { label: unchangeable.name, verdict: true });
  return check.run(input, parameters as never, toolsFor(hookCheck, subject, around));
}

/** Made when a check asks for them: most need none. */
function toolsFor(
  hookCheck: HookCheck,
  subject: Subject,
  { checks, exchange, hook, trusted }: Surroundings,
): CheckTools {
  const { check, forwardHeaders, timeout } = hookCheck;
  const family = hookCheck.id.slice(0, hookCheck.id.indexOf("."));
  const use = {
    credentials: hook.credentials?.[family],
    forwardHeaders,
    headers: subject.headers,
    exchange,
    timeout,
    trusted,
  };
  let made: CheckTools | undefined;
  const tools = () => {
    if (!check) throw new CheckError("There is no such check.");
    made ??= checks.tools(check, use);
    return made;
  };
  return {
    get credentials() {
      return tools().credentials;
    },
    get trusted() {
      return tools().trusted;
    },
    get forwarded() {
      return tools().forwarded;
    },
    ask: (request) => tools().ask(request),
    call: (call) => tools().call(call),
    recall: (key) => tools().recall(key),
    remember: (key, value, seconds) => tools().remember(key, value, seconds),
    now: () => tools().now(),
  };
}

/** A check that never answers is given up; its own deadline comes earlier where it asks somebody. */
function inTime(
  running: Promise<CheckResult>,
  { timeout }: HookCheck,
  { deadline }: Surroundings,
): Promise<CheckResult> {
  const most = Math.max(deadline, timeout ?? 0);
  return new Promise((resolve, reject) => {
    const late = () => reject(new CheckError(`The check took longer than ${most} ms.`, { label: "TimeoutError" }));
    const clock = setTimeout(late, most);
    running.then(resolve, reject).finally(() => clearTimeout(clock));
  });
}

const isChange = ({ texts, json, body, headers, transformed }: CheckResult): boolean =>
  transformed === true ||
  texts?.some((text) => text !== null) === true ||
  json !== undefined ||
  body !== undefined ||
  headers !== undefined;

export interface Told {
  readonly verdict: boolean;
  readonly data: unknown;
  readonly error?: CheckEntry["error"] | undefined;
}

/** What went wrong in a check of our own making is told in general words; what it says itself, in its own. */
export function failureOf({ check }: HookCheck, error: unknown): Told {
  const usual = check?.verdictOnError ?? false;
  if (!(error instanceof CheckError))
    return { verdict: false, data: null, error: { name: "Check error", message: "The check could not be run." } };
  const { label, message, data, verdict = usual } = error;
  return { verdict, data: data ?? null, error: { name: label, message } };
}

const entryOf = (
  { id, failOnError }: HookCheck,
  created: string,
  began: number,
  { verdict, data, error }: Told,
  transformed = false,
): CheckEntry => ({
  data: boundedData(data),
  verdict,
  id,
  ...(error && { error: { name: error.name, message: boundedMessage(error.message) } }),
  execution_time: Math.round(performance.now() - began),
  transformed,
  created_at: created,
  log: null,
  fail_on_error: failOnError,
});
