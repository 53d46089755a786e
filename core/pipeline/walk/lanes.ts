import type { Lane, Route, Target } from "../../model/route.ts";
import { timerFor } from "../../time/longest-timer.ts";
import { attempt } from "../attempt/attempt.ts";
import type { ExchangeState, RaceAround } from "../exchange-state.ts";
import { failedAttempt } from "../reply/refusals.ts";
import { discard, type Result } from "../reply/result.ts";
import type { LanesErrand } from "./errand.ts";
import { Shadow } from "./shadow.ts";

/** Calls a target with other routes beside it, unless there may be one call only. */
export function besides(
  errand: LanesErrand,
  exchange: ExchangeState,
  target: Target,
  lanes: readonly Lane[],
): Promise<Result> {
  const { road, body } = errand;
  if (isDoneOnce(exchange)) return attempt(road, exchange, target, body);
  if (!exchange.request && !body.bytes && body.contentLength !== 0) return attempt(road, exchange, target, body);
  for (const { kind, route } of lanes) {
    if (kind !== "shadow") continue;
    exchange.background ??= [];
    exchange.background.push(new Shadow(errand, exchange, { target, route }));
  }
  const rivals = lanes.filter(({ kind }) => kind === "rival");
  if (rivals.length === 0) return attempt(road, exchange, target, body);
  return new Race(errand, exchange, target, rivals).result;
}

/** What is begun or deleted is begun or deleted once; of raw calls, what may be a question is asked of several (RFC 9110, section 9.2). */
const isDoneOnce = ({ endpoint, method }: ExchangeState): boolean =>
  endpoint.procedure ? method !== "GET" : method === "DELETE" || method === "PUT" || method === "PATCH";

/**
 * The first good answer wins, and everybody else is given up. A lane begins when its time has come, or when one before it
 * fails or has to ask its target again. Without a good answer the last bad one counts.
 */
class Race implements RaceAround {
  readonly result: Promise<Result>;
  #decide!: (result: Result) => void;
  readonly #errand: LanesErrand;
  readonly #exchange: ExchangeState;
  readonly #target: Target;
  readonly #waiting: Lane[];
  readonly #running = new Set<ExchangeState>();
  readonly #timers: NodeJS.Timeout[];
  #decided = false;
  #last: Result | undefined;
  readonly #forOne: (() => void)[] = [];

  constructor(errand: LanesErrand, exchange: ExchangeState, target: Target, rivals: readonly Lane[]) {
    this.#errand = { ...errand, again: () => this.#begin(this.#waiting[0]) };
    this.#exchange = exchange;
    this.#target = target;
    this.#waiting = [...rivals];
    this.result = new Promise((resolve) => {
      this.#decide = resolve;
    });
    this.#run(undefined, target.asLane ?? (() => only(target)));
    this.#timers = rivals.map((lane) => setTimeout(() => this.#begin(lane), timerFor(lane.afterMs)));
  }

  whenAlone(then: () => void): void {
    const { race } = this.#exchange;
    this.#forOne.push(race ? () => race.whenAlone(then) : then);
    this.#tellAlone();
  }

  /** Who asked before others had failed hears of it as well, and makes nothing of it. */
  #tellAlone(): void {
    if (this.#running.size > 1 || this.#waiting.length > 0) return;
    for (const then of this.#forOne.splice(0)) then();
  }

  #begin(lane: Lane | undefined): void {
    if (!lane || this.#decided || !this.#waiting.includes(lane)) return;
    this.#waiting.splice(this.#waiting.indexOf(lane), 1);
    this.#run("rival", lane.route);
  }

  #run(lane: "rival" | undefined, route: Lane["route"]): void {
    // What is called first in a race of a rival is called beside others all the same.
    const branch = this.#exchange.branch(lane ?? (this.#exchange.lane === "rival" ? "rival" : undefined));
    branch.race = this;
    const forget = this.#exchange.cancellation.add(() => branch.cancellation.cancel());
    this.#running.add(branch);
    void this.#walked(branch, route)
      .catch((error: unknown) => this.#failed(branch, error))
      .then((done) => {
        if (done.branch) branch.inform(done.branch);
        this.#arrived(branch, Object.assign(done, { branch: done.branch ?? branch }), forget);
      });
  }

  /** What a caller may not hear of, since somebody else answers, an operator does. */
  #failed(branch: ExchangeState, error: unknown): Result {
    const { road } = this.#errand;
    const result = failedAttempt(road, branch, this.#target, error);
    if (result.outcome.exception) road.log.error("a lane failed", { request: branch.id, error });
    return result;
  }

  /** A route is a plugin's word: one that fails to begin is a lane that fails. */
  async #walked(branch: ExchangeState, route: Lane["route"]): Promise<Result> {
    return this.#errand.walk(this.#errand, branch, route(branch));
  }

  #arrived(branch: ExchangeState, result: Result, forget: () => void): void {
    this.#running.delete(branch);
    if (this.#decided) {
      forget();
      return discard(result);
    }
    if (!result.outcome.ok) for (const then of branch.whenFailed ?? []) then();
    if (result.outcome.ok || (this.#running.size === 0 && this.#waiting.length === 0)) return this.#end(result);
    if (this.#last) discard(this.#last);
    this.#last = result;
    // Somebody else may still be good.
    this.#begin(this.#waiting[0]);
    this.#tellAlone();
  }

  #end(result: Result): void {
    this.#decided = true;
    if (this.#last) discard(this.#last);
    for (const timer of this.#timers) clearTimeout(timer);
    for (const branch of this.#running) branch.cancellation.cancel();
    this.#decide(result);
  }
}

/** The route of a target that is no more than itself. */
function* only({ beside: _, ...target }: Target): Route {
  return yield target;
}
