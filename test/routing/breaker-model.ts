import type { Tree } from "./trees.ts";
import type { Behaviour } from "./vendors.ts";

type Policy = NonNullable<Tree["cb_config"]>;

interface State {
  failures: number;
  successes: number;
  firstFailureAt?: number;
  openUntil?: number;
  /** The next call shows whether it is well. */
  isProbed?: boolean;
}

/** The circuits of a config's leaves, as naively as the specification words them (routing-config.md section 11). */
export class BreakerModel {
  readonly #states = new Map<string, State>();
  now = 0;

  /** The same circuits, for whoever only looks at them. */
  copy(): BreakerModel {
    const copy = new BreakerModel();
    copy.now = this.now;
    for (const [path, state] of this.#states) copy.#states.set(path, { ...state });
    return copy;
  }

  isShut(path: string, policy: Policy | undefined): boolean {
    return policy !== undefined && this.#at(path, policy).openUntil !== undefined;
  }

  /** A leaf has ended, with a status that says something of its vendor. */
  ended(path: string, policy: Policy | undefined, status: number): void {
    if (!policy) return;
    const state = this.#at(path, policy);
    if (state.openUntil !== undefined) return;
    const { cooldown_interval } = policy;
    const failed = isFailure(status, policy);
    if (state.isProbed) {
      this.#states.set(path, failed ? { failures: 0, successes: 0, openUntil: this.now + cooldown_interval } : clean());
      return;
    }
    if (!failed) return void state.successes++;
    state.failures++;
    state.firstFailureAt ??= this.now;
    if (isReached(state, policy)) state.openUntil = this.now + cooldown_interval;
  }

  /** A stream that began well has died: it was no success after all. */
  died(path: string, policy: Policy, behaviour: Behaviour): void {
    if (behaviour.kind === "well" || behaviour.kind === "refuses") return;
    const status = endOf(behaviour);
    if (!isFailure(status, policy) || isFailure(200, policy)) return;
    const state = this.#at(path, policy);
    if (state.successes > 0) state.successes--;
    this.ended(path, policy, status);
  }

  #at(path: string, { cooldown_interval, half_open_requests }: Policy): State {
    let state = this.#states.get(path) ?? clean();
    const { openUntil, firstFailureAt } = state;
    if (openUntil !== undefined) {
      if (this.now >= openUntil) state = { ...clean(), ...(half_open_requests !== undefined && { isProbed: true }) };
    } else if (firstFailureAt !== undefined && this.now - firstFailureAt >= cooldown_interval) state = clean();
    this.#states.set(path, state);
    return state;
  }
}

const isFailure = (status: number, { failure_status_codes: codes }: Policy): boolean =>
  codes ? codes.includes(status) : status >= 500;

const clean = (): State => ({ failures: 0, successes: 0 });

function isReached({ failures, successes }: State, policy: Policy): boolean {
  const { failure_threshold, failure_threshold_percentage, minimum_requests = 1 } = policy;
  if (failure_threshold !== undefined && failures >= failure_threshold) return true;
  const calls = failures + successes;
  if (failure_threshold_percentage === undefined || calls < minimum_requests) return false;
  return (failures / calls) * 100 >= failure_threshold_percentage;
}

/** What a vendor's answer came to in the end, also where a stream of it had begun well. */
export function endOf(behaviour: Behaviour): number {
  switch (behaviour.kind) {
    case "well":
      return 200;
    case "refuses":
      return behaviour.status;
    case "reset":
    case "cut":
      return 500;
    case "unfinished":
      return 502;
    case "silent":
    case "stalled":
      return 408;
  }
}
