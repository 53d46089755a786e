import { errorMessage } from "../../errors/error-message.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import { OwnedError } from "../../errors/owned-error.ts";
import { whoseCode } from "../../errors/whose-code.ts";
import type { Outcome, Route, Target } from "../../model/route.ts";
import { timerFor } from "../../time/longest-timer.ts";
import { attempt } from "../attempt/attempt.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { failedAttempt } from "../reply/refusals.ts";
import { discard, type Result } from "../reply/result.ts";
import type { Road } from "../road.ts";
import type { Errand } from "./errand.ts";
import { besides } from "./lanes.ts";
import { canRestart, RestartableStream } from "./restartable-stream.ts";

/** Drives the route: each target it yields is tried, each outcome handed back, until it returns one. */
export async function walk(errand: Errand, exchange: ExchangeState, route: Route): Promise<Result> {
  let last: Result | undefined;
  let streamed: RestartableStream | undefined;
  let step = nextOf(route);
  try {
    while (!step.done) {
      const target = checkedTarget(step.value);
      if (last) {
        // A body that was streamed on is gone: what its first target said is the answer.
        if (errand.body.taken) return last;
        discard(last);
      }
      if (target.retry) errand.again?.();
      if (target.delayMs) await wait(target.delayMs, exchange);
      // A call that nobody waits for is never made: there is nothing to record.
      if (exchange.cancellation.cancelled) return givenUp(errand.road, exchange, target, streamed);
      const isSocket = exchange.endpoint.socket !== undefined;
      last =
        target.beside && !isSocket && !exchange.rehearsal
          ? await besides({ road: errand.road, body: errand.body, walk }, exchange, target, target.beside)
          : await attempt(errand.road, exchange, target, errand.body);
      if (exchange.cancellation.cancelled) {
        discard(last);
        return givenUp(errand.road, exchange, target, streamed);
      }
      // A stream that may be restarted is over only when its last byte is there: its outcome waits for that.
      if (last.kind === "stream" && errand.client && (streamed || mayRestart(errand.road, exchange, target, last))) {
        streamed ??= new RestartableStream(errand.road, exchange, errand.client);
        last = await streamed.carry(last);
      }
      try {
        step = stepAfter(route, last, isSocket && !target.refusal);
      } catch (error) {
        discard(last);
        if (!streamed) throw error;
        // The client is owed the end of what it was sent.
        const isOver = last.kind === "delivered" && last.over;
        return streamed.finish(isOver ? last : failedAttempt(errand.road, exchange, target, error));
      }
    }
  } finally {
    leave(route);
    streamed?.leave();
  }
  if (!last) throw new GatewayError("provider_missing", "The route named no target.");
  if (streamed) return streamed.finish(last);
  // Whoever retried says how often; everything else about the outcome is the last attempt's own.
  const { retries } = step.value;
  if (retries !== undefined) Object.assign(last.outcome, { retries });
  return last;
}

/** A walk nobody waits for, or that the gateway itself gives up: then the client is owed the end of what it was sent. */
function givenUp(road: Road, exchange: ExchangeState, target: Target, streamed: RestartableStream | undefined): Result {
  const { reason } = exchange.cancellation;
  if (streamed && reason.code === "draining") return streamed.finish(failedAttempt(road, exchange, target, reason));
  throw reason;
}

/** A route is a plugin's word: what is no target could neither be called nor be told of. */
function checkedTarget(target: Partial<Target> | undefined): Target {
  if (typeof target?.provider?.slug === "string" && typeof target.path === "string") return target as Target;
  throw new GatewayError(
    "plugin_failed",
    "routeSelect: a route gave what is no target; that is { path, provider }, with a provider of context.providers",
    { hook: "routeSelect" },
  );
}

/**
 * What a route says when a target is through. Where the gateway itself failed, the client has all of an answer, or a socket
 * has the one leaf there is for it (the first that can be called at all, routing-config.md section 17), there is no more.
 */
function stepAfter(route: Route, last: Result, isOnly: boolean): IteratorResult<Target, Outcome> {
  const { outcome } = last;
  const over = { done: true, value: outcome } as const;
  if (outcome.exception) return over;
  const step = nextOf(route, outcome);
  const isOver = isOnly || (last.kind === "delivered" && last.over);
  return isOver && !step.done ? over : step;
}

/**
 * Whether a stream may be begun anew after the client has seen some of it: when the client has said so, and its format can.
 * One with a status that a tap has set the route may not want the client to see at all.
 */
const mayRestart = (road: Road, exchange: ExchangeState, { resume }: Target, { outcome }: Result): boolean =>
  outcome.status === 200 &&
  resume === "restart" &&
  exchange.gatewayHeaders.get("resume")?.toLowerCase() === "restart" &&
  canRestart(road, exchange);

/** What a route says next: first without an outcome, then with that of the target before. */
export function nextOf(route: Route, outcome?: Outcome): IteratorResult<Target, Outcome> {
  try {
    return outcome ? route.next(outcome) : (route as Iterator<Target, Outcome, unknown>).next();
  } catch (cause) {
    if (cause instanceof GatewayError || cause instanceof OwnedError) throw cause;
    // Strategies of one plugin walk in the route of another: only the stack says whose failed.
    const whose = whoseCode(cause);
    const place = whose && "plugin" in whose ? `[plugin ${whose.plugin}] routeSelect` : "routeSelect";
    const message = `${place}: a route failed: ${errorMessage(cause)}`;
    throw new GatewayError("plugin_failed", message, { ...whose, hook: "routeSelect" }, { cause });
  }
}

/** Tells a route that nobody walks it any further: what it has taken for a call it gives back. */
export function leave(route: Route): void {
  (route as Iterator<Target, Outcome, unknown>).return?.();
}

/** Resolves after a time, or when the client is gone. */
export const wait = (milliseconds: number, { cancellation }: Pick<ExchangeState, "cancellation">): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, timerFor(milliseconds));
    const forget = cancellation.add(() => {
      clearTimeout(timer);
      resolve();
    });
  });
