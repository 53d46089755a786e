import type { FullTap } from "tapable";
import { errorMessage } from "./errors/error-message.ts";
import { GatewayError } from "./errors/gateway-error.ts";
import type { HookName, Hooks } from "./hooks.ts";
import type { Exchange } from "./model/exchange.ts";
import { fittingResult } from "./tap-results.ts";
import { isAnswer } from "./taps.ts";
import { isThenable, unsettled, withDeadline } from "./time/deadline.ts";
import { timerFor } from "./time/longest-timer.ts";

type Call = (...args: unknown[]) => unknown;
type Done = (error?: unknown, value?: unknown) => void;

/** Hooks whose taps are asked in turn until one has answered: the rest of a waterfall is skipped then. */
const stopsAtAnswer: ReadonlySet<HookName> = new Set(["beforeRequest"]);

/** Hooks whose taps have nothing to do with each other: one that fails keeps none of the others from its work. */
const goesOn: ReadonlySet<HookName> = new Set(["cost"]);

/** Told of a failure that kept nobody else from anything. */
type Told = (error: GatewayError, exchange: Exchange) => void;

/**
 * Makes every failure of a tap name its plugin and its hook, cuts off taps that never settle, and lets a waterfall stop
 * at an answer. It also closes a trap of tapable: a promise tap that throws synchronously after an earlier one was
 * asynchronous would reject nowhere, and the hook would never settle.
 */
export function attributeFailures(hooks: Hooks, deadlineMs: number, told: Told): void {
  for (const [name, hook] of Object.entries(hooks)) {
    const hookName = name as HookName;
    const register = (tap: FullTap): FullTap => ({
      ...tap,
      fn: guarded(hookName, tap, deadlineMs, told) as FullTap["fn"],
    });
    (hook as { intercept(interceptor: { register(tap: FullTap): FullTap }): void }).intercept({ register });
  }
}

/** Hooks that are rung with the exchange alone; the others are with what is on its way, and the exchange. */
const takesOne: ReadonlySet<HookName> = new Set(["auth", "routeSelect", "cost"]);

/** A tap, with what is to become of its failures. */
interface Guarded {
  readonly hook: HookName;
  readonly call: Call;
  readonly deadlineMs: number;
  readonly blame: (cause: unknown) => GatewayError;
  readonly told: Told;
  readonly skips: boolean;
  readonly alone: boolean;
}

function guarded(hook: HookName, tap: FullTap, deadlineMs: number, told: Told): Call {
  const blame = (cause: unknown) =>
    cause instanceof GatewayError
      ? cause
      : new GatewayError(
          "plugin_failed",
          `[plugin ${tap.name}] ${hook}: ${errorMessage(cause)}`,
          { plugin: tap.name, hook },
          { cause },
        );
  const known = { hook, deadlineMs, blame, told, skips: stopsAtAnswer.has(hook), alone: goesOn.has(hook) };
  const guard = (call: Call): Call => {
    if (tap.type === "promise") return guardedPromise({ ...known, call });
    return tap.type === "async" ? guardedCallback({ ...known, call }) : guardedValue({ ...known, call });
  };
  const call = tap.fn as unknown as Call;
  return "context" in tap && tap.context ? inContext(call, guard) : guard(call);
}

/**
 * Tapable gives taps registered with `context: true` an object for all of one call, before the arguments of the hook. It is going
 * to end that: such taps are few, and are guarded anew each time they are called.
 */
const inContext =
  (call: Call, guard: (call: Call) => Call): Call =>
  (context, ...args) =>
    guard((...seen) => call(context, ...seen))(...args);

// Calls are made with one argument or with two, as the hook has them: to gather and to spread them takes longer than most taps.

function guardedPromise({ hook, call, deadlineMs, blame, told, skips, alone }: Guarded): Call {
  const called: Call = takesOne.has(hook) ? (first) => call(first) : call;
  return async (first, second) => {
    if (skips && isAnswer(first)) return first;
    try {
      const value = await withDeadline(called(first, second), deadlineMs, () => blame(unsettled(deadlineMs)));
      return fittingResult(hook, value);
    } catch (cause) {
      if (!alone) throw blame(cause);
      return told(blame(cause), first as Exchange);
    }
  };
}

function guardedCallback({ hook, call, deadlineMs, blame, told, skips, alone }: Guarded): Call {
  const isOne = takesOne.has(hook);
  const ask = (first: unknown, second: unknown, done: Done) => {
    if (skips && isAnswer(first)) return done(undefined, first);
    const once = new Once(alone ? goingOn(done, (error) => told(error, first as Exchange)) : done);
    const settle = (error?: unknown, value?: unknown) => {
      const misfit = error ? undefined : misfitOf(hook, value);
      if (error || misfit) once.settle(blame(error || misfit));
      else once.settle(undefined, value);
    };
    try {
      if (isOne) call(first, settle);
      else call(first, second, settle);
    } catch (cause) {
      once.settle(blame(cause));
    }
    once.expire(deadlineMs, () => blame(unsettled(deadlineMs)));
  };
  return isOne
    ? (first, done) => ask(first, undefined, done as Done)
    : (first, second, done) => ask(first, second, done as Done);
}

function guardedValue({ hook, call, blame, told, skips, alone }: Guarded): Call {
  const called: Call = takesOne.has(hook) ? (first) => call(first) : call;
  return (first, second) => {
    if (skips && isAnswer(first)) return first;
    try {
      const value = called(first, second);
      return isThenable(value) ? refusePromise(hook, value) : fittingResult(hook, value);
    } catch (cause) {
      if (!alone) throw blame(cause);
      return told(blame(cause), first as Exchange);
    }
  };
}

/** What is wrong with what was called back with. */
function misfitOf(hook: HookName, value: unknown): unknown {
  try {
    fittingResult(hook, value);
    return undefined;
  } catch (misfit) {
    return misfit;
  }
}

/** An asynchronous function that was tapped as one that answers at once: nobody would wait for it, or hear it fail. */
function refusePromise(hook: HookName, promise: PromiseLike<unknown>): never {
  promise.then(undefined, ignore);
  const remedy = hook === "streamChunk" ? "it has to answer at once" : "use tapPromise()";
  throw new Error(`a tap() gave a promise: ${remedy}`);
}

/** What it fails with would be a failure nobody caught, which ends the process. */
function ignore(): void {}

/** A callback that is told of failures, and lets those after it be asked all the same. */
const goingOn = (done: () => void, failed: (error: GatewayError) => void) => (error?: unknown) => {
  if (error) failed(error as GatewayError);
  done();
};

/** A callback that counts once: a tap that calls back twice, or after its deadline, is not heard again. */
class Once {
  readonly #done: Done;
  #over = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(done: Done) {
    this.#done = done;
  }

  settle(error?: unknown, value?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#done(error, value);
  }

  /** Gives a tap that has not called back yet so much more time; most have, and need no clock. */
  expire(deadlineMs: number, expired: () => GatewayError): void {
    if (!this.#over) this.#timer = setTimeout(() => this.settle(expired()), timerFor(deadlineMs));
  }
}
