import type { Lane, Outcome, Target } from "../../model/route.ts";
import { timerFor } from "../../time/longest-timer.ts";
import { attempt } from "../attempt/attempt.ts";
import { deliver } from "../deliver.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { failedAttempt } from "../reply/refusals.ts";
import { discard, type Result } from "../reply/result.ts";
import type { ClientConnection } from "../road.ts";
import { settle } from "../settle.ts";
import type { LanesErrand } from "./errand.ts";

/** Calls a target with other routes beside it, unless there may be one call only. */
export function besides(
  errand: LanesErrand,
  exchange: ExchangeState,
  target: Target,
  lanes: readonly Lane[],
): Promise<Result> {
  const { road, body } = errand;
  // What is begun or deleted is begun or deleted once.
  if (exchange.endpoint.procedure && exchange.method !== "GET") return attempt(road, exchange, target, body);
  if (!exchange.request && !body.bytes && body.contentLength !== 0) return attempt(road, exchange, target, body);
  for (const { kind, route } of lanes) {
    if (kind !== "shadow") continue;
    exchange.background ??= [];
    exchange.background.push(shadow(errand, exchange, { target, route }));
  }
  const rivals = lanes.filter(({ kind }) => kind === "rival");
  if (rivals.length === 0) return attempt(road, exchange, target, body);
  return new Race(errand, exchange, target, rivals).result;
}

/** A copy of the request whose answer is read to its end and recorded, and seen by nobody. */
async function shadow(
  errand: LanesErrand,
  exchange: ExchangeState,
  { target, route }: { readonly target: Target; readonly route: Lane["route"] },
): Promise<void> {
  const { road } = errand;
  const branch = exchange.branch("shadow");
  try {
    const result = await errand.walk(errand, branch, route(branch));
    // Where the copy is a race itself, who answered is the branch that won.
    const answering = result.branch ?? branch;
    if (result.kind === "whole" && result.answer) answering.answer = result.answer;
    await deliver(road, answering, result, nobody);
    if (result.branch) branch.join(result.branch);
  } catch (error) {
    branch.ending = "error";
    branch.status = failedAttempt(road, branch, target, error).outcome.status;
    road.log.debug("shadow target failed", { request: exchange.id, error });
  }
  branch.endedAt = branch.elapsed();
  await settle(road, branch);
}

/** Stands where a client would be. */
const nobody: ClientConnection = {
  head: ignore,
  write: () => true,
  end: ignore,
  onDrain: ignore,
  mayBeSent: ignore,
  destroy: ignore,
  headSent: false,
};

function ignore(): void {}

interface Runner {
  readonly lane: "rival" | undefined;
  readonly branch: ExchangeState;
  readonly result: Promise<Result>;
}

/**
 * The first good answer wins, and everybody else is given up. A lane begins when its time has come, or when nobody is
 * running any more. Without a good answer the last bad one counts.
 */
class Race {
  readonly result: Promise<Result>;
  #decide!: (result: Result) => void;
  readonly #errand: LanesErrand;
  readonly #exchange: ExchangeState;
  readonly #target: Target;
  readonly #waiting: Lane[];
  readonly #running = new Set<Runner>();
  readonly #timers: NodeJS.Timeout[];
  #decided = false;
  #last: Result | undefined;
  /** How the target itself did, once that is known. */
  #own: Outcome | undefined;

  constructor(errand: LanesErrand, exchange: ExchangeState, target: Target, rivals: readonly Lane[]) {
    this.#errand = errand;
    this.#exchange = exchange;
    this.#target = target;
    this.#waiting = [...rivals];
    this.result = new Promise((resolve) => {
      this.#decide = resolve;
    });
    this.#run(undefined, (branch) => attempt(errand.road, branch, target, errand.body));
    this.#timers = rivals.map((lane) => setTimeout(() => this.#begin(lane), timerFor(lane.afterMs)));
  }

  #begin(lane: Lane | undefined): void {
    if (!lane || this.#decided || !this.#waiting.includes(lane)) return;
    this.#waiting.splice(this.#waiting.indexOf(lane), 1);
    this.#run("rival", (branch) => this.#errand.walk(this.#errand, branch, lane.route(branch)));
  }

  #run(lane: "rival" | undefined, start: (branch: ExchangeState) => Promise<Result>): void {
    const branch = this.#exchange.branch(lane);
    const forget = this.#exchange.cancellation.add(() => branch.cancellation.cancel());
    const result = start(branch)
      .catch((error: unknown) => failedAttempt(this.#errand.road, branch, this.#target, error))
      .then((done) => Object.assign(done, { branch: done.branch ?? branch }));
    const runner = { lane, branch, result };
    this.#running.add(runner);
    void result.then((done) => this.#arrived(runner, done, forget));
  }

  #arrived(runner: Runner, result: Result, forget: () => void): void {
    this.#running.delete(runner);
    if (this.#decided) {
      forget();
      return discard(result);
    }
    if (runner.lane) this.#tell(result);
    else this.#remember(runner.branch, result);
    if (result.outcome.ok || (this.#running.size === 0 && this.#waiting.length === 0)) return this.#end(result);
    if (this.#last) discard(this.#last);
    this.#last = result;
    // Somebody else may still be good; with nobody left running, the next one need not wait.
    if (this.#running.size === 0) this.#begin(this.#waiting[0]);
  }

  /** How the target itself did: a retry of it runs where it was yielded, and says again what was said here. */
  #remember({ prepared, attempt }: ExchangeState, { outcome }: Result): void {
    this.#own = outcome;
    this.#exchange.prepared = prepared;
    if (attempt) this.#exchange.attempt = attempt;
  }

  /** The outcome of a rival is handed to the route of the target, which learns from it how the target does. */
  #tell(result: Result): void {
    const rival = this.#own ? { own: this.#own } : {};
    Object.assign(result, { outcome: Object.assign({}, result.outcome, { rival }) });
  }

  #end(result: Result): void {
    this.#decided = true;
    if (this.#last) discard(this.#last);
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { branch } of this.#running) branch.cancellation.cancel();
    this.#decide(result);
  }
}
