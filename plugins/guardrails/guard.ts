import {
  type Answer,
  type Aside,
  type ChecksService,
  type Exchange,
  type Format,
  type GatewayRequest,
  type Logger,
  type StreamChunk,
  slot,
} from "../../core/index.ts";
import type { Side } from "./config/fields.ts";
import { denial, denialDetail, recordDenial, withhold } from "./denial.ts";
import { dependOn } from "./depends-on.ts";
import type { Guarding } from "./guarding.ts";
import { keepResults, lastSaid, resultsOf } from "./lingering.ts";
import type { Plan, Planned, Planner } from "./plan.ts";
import { refuseUnread } from "./refuse-unread.ts";
import type { HookEntry } from "./run/results.ts";
import { type HookOutcome, isMet, runHook } from "./run/run-hook.ts";
import { runSide, type SideOutcome } from "./run/run-side.ts";
import { Subject } from "./run/subject.ts";
import { asSaid, withoutRemoved, withoutTaken } from "./run/unquoted.ts";
import type { VerdictMetrics } from "./run/verdict-metrics.ts";
import { writtenResults } from "./run/written-results.ts";
import { GuardedHooks, guardsInPassing } from "./stream/guarded-hooks.ts";

export interface GuardOptions {
  readonly planner: Planner;
  readonly checks: Pick<ChecksService, "tools">;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
  /** Milliseconds a check may take in all. */
  readonly deadline: number;
  /** Whether streams are guarded while they pass, or only reported on. */
  readonly streams: "guard" | "report";
  /** Absent where nobody counts. */
  readonly metrics?: VerdictMetrics | undefined;
  readonly log?: Logger | undefined;
}

type Seen = GatewayRequest | Answer;
const failedStatus = 246;
const successStatus = 200;

/** Runs the guardrails of requests and of their answers (guardrails.md section 3). */
export class Guard {
  readonly #options: GuardOptions;
  readonly #guarding = slot<Exchange, Guarding>("guardrails");

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** The request as checks leave it, or the answer in its place. */
  before(request: GatewayRequest, exchange: Exchange): Seen | Promise<Seen> {
    // What was found out about the target before counts no more.
    if (this.#guarding.get(exchange)) this.#guarding.set(exchange, undefined);
    if (exchange.checkedHeaders) exchange.checkedHeaders = undefined;
    // What the gateway asks on its own account, and what nobody will be asked.
    const { role, rehearsal } = exchange;
    if (role === "internal" || (role === "imagined" && !rehearsal)) return request;
    const planned = this.#options.planner.plan(exchange, rehearsal?.side);
    return planned instanceof Promise
      ? planned.then((plan) => this.#begin(request, exchange, plan))
      : this.#begin(request, exchange, planned);
  }

  #begin(request: GatewayRequest, exchange: Exchange, { input, output }: Plan): Seen | Promise<Seen> {
    if (input.length === 0 && output.length === 0) return request;
    refuseUnread(request, exchange, input, output);
    const inPassing = this.#expectAnswer(output, request, exchange);
    const none = { before: [], after: [], later: undefined, told: asSaid };
    const guarding: Guarding = { input, output, inPassing, request, ...none };
    this.#guarding.set(exchange, guarding);
    if (input.length === 0) {
      dependOn(output, exchange);
      return request;
    }
    const format = this.#formatOf(request);
    const subject = Subject.ofRequest(exchange, request, format);
    this.#startAsync("input", guarding, subject, exchange);
    const ran = runSide(input, subject, this.#around(exchange));
    return ran instanceof Promise
      ? ran.then((outcome) => this.#admitted(outcome, guarding, exchange))
      : this.#admitted(ran, guarding, exchange);
  }

  #admitted({ outcomes, subject }: SideOutcome, guarding: Guarding, exchange: Exchange): Seen {
    const asked = guarding.request;
    if (subject.changed) guarding.told = withoutRemoved(asked, subject.request);
    guarding.before = guarding.told(outcomes.map(entryOf));
    guarding.request = subject.request;
    if (subject.headers !== exchange.headers) exchange.checkedHeaders = subject.headers;
    dependOn(guarding.output, exchange);
    this.#options.metrics?.judged("input", guarding.before, true);
    this.#tell(guarding, exchange);
    if (guarding.before.some(denies)) {
      const soft = outcomes.some(({ entry, planned }) => entry.deny && planned.hook.softDeny);
      return denial(subject.request, exchange, soft, this.#formatOf(asked));
    }
    const { attempt } = exchange;
    if (attempt && guarding.before.some(fails)) attempt.successStatus = failedStatus;
    const { model } = subject.request;
    // The provider was chosen for another one.
    if (attempt && model !== undefined && model !== asked.model) attempt.target.provider.allow?.(model);
    return subject.request;
  }

  /** Says early what is going to be done with the answer. What is returned looks at a stream while it passes. */
  #expectAnswer(output: readonly Planned[], request: GatewayRequest, { attempt }: Exchange): readonly Planned[] {
    if (output.length === 0) return none;
    const waited = output.filter(({ hook }) => !hook.async);
    if (!attempt || waited.length === 0) return none;
    // A stream begins before there is anything to tell.
    attempt.aside = { members: {} };
    if (!request.stream || this.#options.streams === "report") return none;
    const passing = waited.filter(guardsInPassing);
    if (waited.some((one) => !passing.includes(one) && mustBeWhole(one))) {
      attempt.gathers = true;
      return none;
    }
    const times = passing.flatMap(({ hook }) => hook.checks.flatMap(({ hold }) => hold?.milliseconds ?? []));
    if (times.length > 0) attempt.stirs = Math.min(...times);
    return passing;
  }

  /** Whether somebody looks at the whole answer. */
  readonly wants = (exchange: Exchange): boolean => (this.#guarding.get(exchange)?.output.length ?? 0) > 0;

  readonly wantsChunks = (exchange: Exchange): boolean => (this.#guarding.get(exchange)?.inPassing.length ?? 0) > 0;

  chunks(chunks: readonly StreamChunk[], exchange: Exchange): readonly StreamChunk[] {
    const guarding = this.#guarding.get(exchange);
    const { attempt } = exchange;
    if (!guarding || !attempt || guarding.inPassing.length === 0) return chunks;
    if (guarding.passing?.attempt !== attempt) {
      const hooks = new GuardedHooks(guarding.inPassing, this.#options);
      guarding.passing = { attempt, hooks };
      attempt.heldBack = () => hooks.guard.arrived(guarding.request);
    }
    const { guard } = guarding.passing.hooks;
    if (guard.denied) return [];
    const out = guard.push(chunks);
    return guard.denied ? [{ type: "error", error: denialDetail, given: true }] : out;
  }

  after(answer: Answer, exchange: Exchange): Answer | Promise<Answer> {
    const guarding = this.#guarding.get(exchange);
    const passing = guarding && passedIn(guarding, exchange);
    if (guarding && passing?.guard.denied) return this.#stopped(guarding, passing, answer, exchange);
    if (!guarding) return answer;
    if (answer.status !== successStatus || !answer.response) return this.#unjudged(guarding, answer, exchange);
    const { request, output, inPassing } = guarding;
    if (request.operation !== "chat" && request.operation !== "complete") return answer;
    const { response, status } = answer;
    const requestChanged = guarding.before.some(({ transformed }) => transformed);
    const subject = Subject.ofResponse(exchange, request, this.#formatOf(request), {
      formats: this.#options.formats,
      response,
      status,
      requestChanged,
    });
    this.#startAsync("output", guarding, subject, exchange);
    const left = passing && answer.sent ? output.filter((one) => !inPassing.includes(one)) : output;
    const ran = runSide(left, subject, this.#around(exchange, answer.sent === true));
    return ran instanceof Promise
      ? ran.then((outcome) => this.#answered(outcome, answer, guarding, exchange))
      : this.#answered(ran, answer, guarding, exchange);
  }

  /** What checks said of the answer before a retry is not said of this one. */
  #unjudged(guarding: Guarding, answer: Answer, exchange: Exchange): Answer {
    if (guarding.after.length > 0) {
      guarding.after = [];
      this.#tell(guarding, exchange);
    }
    return answer;
  }

  #answered({ outcomes, subject }: SideOutcome, answer: Answer, guarding: Guarding, exchange: Exchange): Answer {
    const { metrics } = this.#options;
    const passed = answer.sent ? (passedIn(guarding, exchange)?.ended(metrics) ?? []) : [];
    const delay = gatheredFor(exchange, answer);
    const waited = outcomes.map(entryOf);
    if (delay !== undefined) {
      for (const entry of waited) Object.assign(entry, { stream_delay: delay });
      metrics?.delayed(delay);
    }
    metrics?.judged("output", passed, true);
    metrics?.judged("output", waited, !answer.sent);
    guarding.after = withoutTaken(passed.length === 0 ? waited : [...passed, ...waited]);
    this.#tell(guarding, exchange);
    // What has left cannot be changed any more: what became of it is for those who record or keep it.
    if (answer.sent) return guarding.after.some(fails) ? Object.assign({}, answer, { status: failedStatus }) : answer;
    if (guarding.after.some(denies)) {
      const soft = outcomes.some(({ entry, planned }) => entry.deny && planned.hook.softDeny);
      withhold(answer.response, exchange);
      return denial(guarding.request, exchange, soft, this.#formatOf(guarding.request));
    }
    const status = guarding.after.some(fails) ? failedStatus : answer.status;
    const { response } = subject;
    if (!subject.changed || !response) return status === answer.status ? answer : Object.assign({}, answer, { status });
    return { kind: "answer", status, response };
  }

  /** A stream that was denied while it passed. Where nothing of it was sent it is denied like a whole answer. */
  #stopped(guarding: Guarding, passing: GuardedHooks, answer: Answer, exchange: Exchange): Answer {
    const { metrics } = this.#options;
    guarding.after = withoutTaken(passing.ended(metrics));
    metrics?.judged("output", guarding.after, true);
    this.#tell(guarding, exchange);
    withhold(passing.guard.arrived(guarding.request), exchange);
    if (!answer.sent) return denial(guarding.request, exchange, passing.deniesSoftly, this.#formatOf(guarding.request));
    recordDenial(exchange);
    return answer;
  }

  /** Resolves when the last of those nobody waited for has ended. */
  ended(exchange: Exchange): Promise<void> {
    return lastSaid(exchange, (side, entries) => this.#options.metrics?.judged(side, entries, false));
  }

  /** Lets clients and records know what the checks said so far. */
  #tell(guarding: Guarding, exchange: Exchange): void {
    const { request, before, after } = guarding;
    const results = resultsOf(before, after);
    keepResults(results, guarding, exchange);
    const { attempt } = exchange;
    if (!attempt || before.length + after.length === 0) return;
    const members = { hook_results: results };
    const written = () => `{"hook_results":${writtenResults(before, after)}}`;
    attempt.aside = request.stream ? { members, written, ...aroundStream(before, after) } : { members, written };
  }

  #startAsync(side: Side, guarding: Guarding, subject: Subject, exchange: Exchange): void {
    const { attempt } = exchange;
    for (const one of guarding[side]) {
      if (!one.hook.async || one.hook.type === "mutator" || !isMet(one, subject)) continue;
      const running = Promise.resolve(runHook(one, subject, this.#around(exchange, true)));
      guarding.later ??= [];
      guarding.later.push(running.then(({ entry }) => ({ side, entry, attempt })));
    }
    // Whatever becomes of those that are waited for.
    if (guarding.later) keepResults(resultsOf(guarding.before, guarding.after), guarding, exchange);
  }

  #around(exchange: Exchange, beside = false) {
    const { checks, deadline, metrics, log } = this.#options;
    return { checks, exchange, beside, deadline, metrics, log };
  }

  #formatOf({ format }: GatewayRequest): Format | undefined {
    return this.#options.formats.get(format ?? "");
  }
}

/** Whether a stream must not begin before such a guardrail has seen all of it. */
const mustBeWhole = ({ hook }: Planned): boolean => {
  if (hook.streams !== undefined) return hook.streams === "buffer";
  return hook.deny || hook.type === "mutator" || hook.checks.some(({ check }) => check?.redactor !== undefined);
};

const none: readonly Planned[] = [];
const entryOf = ({ entry }: HookOutcome): HookEntry => entry;
const denies = ({ deny }: HookEntry): boolean => deny;
const fails = ({ verdict }: HookEntry): boolean => !verdict;

/** What stands before a stream, and behind it. */
const aroundStream = (before: readonly HookEntry[], after: readonly HookEntry[]): Pick<Aside, "first" | "last"> => ({
  ...(before.length > 0 && { first: { hook_results: { before_request_hooks: before } } }),
  ...(after.length > 0 && { last: { hook_results: { after_request_hooks: after } } }),
});

/** What was found in the stream of the attempt under way. */
const passedIn = ({ passing }: Guarding, { attempt }: Exchange): GuardedHooks | undefined =>
  passing && passing.attempt === attempt ? passing.hooks : undefined;

/** How long a stream that was put together first was held back, in milliseconds. */
function gatheredFor({ attempt, request, receivedAt }: Exchange, { sent }: Answer): number | undefined {
  if (sent || !attempt?.gathers || !request?.stream || attempt.headersAt === undefined) return undefined;
  return Math.max(0, Math.round(Date.now() - receivedAt - attempt.headersAt));
}
