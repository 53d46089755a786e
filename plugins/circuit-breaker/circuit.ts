import type { BreakerPolicy } from "./policy.ts";

/**
 * What is remembered of one leaf. Times are Unix milliseconds. Closed unless `openUntil` or `probes` says otherwise;
 * changed only by the functions of this file, each of which is told the time.
 */
export interface Circuit {
  failures: number;
  successes: number;
  firstFailureAt: number | undefined;
  openUntil: number | undefined;
  /** Half open: how many calls were let through, and when the last one was. */
  probes: { begun: number; lastAt: number } | undefined;
}

export type Phase = "closed" | "open" | "half-open";

/** What became of a circuit that others want to know at once. */
export type Change = "opened" | "closed";

export const closedCircuit = (): Circuit => ({
  failures: 0,
  successes: 0,
  firstFailureAt: undefined,
  openUntil: undefined,
  probes: undefined,
});

/** What time alone brings about; everything here begins with it. */
export function phaseAt(circuit: Circuit, policy: BreakerPolicy, now: number): Phase {
  const { cooldown_interval, half_open_requests } = policy;
  const { openUntil, firstFailureAt, probes } = circuit;
  if (openUntil !== undefined) {
    if (now < openUntil) return "open";
    close(circuit);
    if (half_open_requests !== undefined) circuit.probes = { begun: 0, lastAt: now };
  } else if (firstFailureAt !== undefined && now - firstFailureAt >= cooldown_interval) {
    close(circuit);
  } else if (probes && now - probes.lastAt >= cooldown_interval) {
    // Probes nobody heard of again do not keep a circuit shut for ever.
    probes.begun = 0;
  }
  return circuit.probes ? "half-open" : "closed";
}

export function isShut(circuit: Circuit, policy: BreakerPolicy, now: number): boolean {
  const phase = phaseAt(circuit, policy, now);
  return phase === "open" || (circuit.probes?.begun ?? 0) >= (policy.half_open_requests ?? Number.POSITIVE_INFINITY);
}

/** A call begins; whether it is a probe. */
export function begin(circuit: Circuit, policy: BreakerPolicy, now: number): boolean {
  if (phaseAt(circuit, policy, now) !== "half-open" || !circuit.probes) return false;
  circuit.probes.begun++;
  circuit.probes.lastAt = now;
  return true;
}

/** A probe has shown nothing: another one may go. */
export function abandon({ probes }: Circuit): void {
  if (probes && probes.begun > 0) probes.begun--;
}

/** A call of this process has ended. While a circuit is half open, calls begun before that say nothing. */
export function settle(
  circuit: Circuit,
  policy: BreakerPolicy,
  { failed, probe }: { readonly failed: boolean; readonly probe: boolean },
  now: number,
): Change | undefined {
  if (phaseAt(circuit, policy, now) !== "half-open")
    return count(circuit, policy, failed ? { failures: 1, successes: 0 } : { failures: 0, successes: 1 }, now);
  if (!probe) return undefined;
  if (failed) return open(circuit, now + policy.cooldown_interval);
  close(circuit);
  return "closed";
}

/** Counts what happened while it was closed, here or elsewhere. Only a failure opens (routing-config.md 11.2). */
export function count(
  circuit: Circuit,
  policy: BreakerPolicy,
  { failures, successes }: Pick<Circuit, "failures" | "successes">,
  now: number,
): Change | undefined {
  if (phaseAt(circuit, policy, now) !== "closed") return undefined;
  circuit.successes += successes;
  if (failures === 0) return undefined;
  circuit.failures += failures;
  circuit.firstFailureAt ??= now;
  return reached(circuit, policy) ? open(circuit, now + policy.cooldown_interval) : undefined;
}

function reached({ failures, successes }: Circuit, policy: BreakerPolicy): boolean {
  const { failure_threshold, failure_threshold_percentage, minimum_requests } = policy;
  if (failure_threshold !== undefined && failures >= failure_threshold) return true;
  const calls = failures + successes;
  if (failure_threshold_percentage === undefined || calls < minimum_requests) return false;
  return failures * 100 >= failure_threshold_percentage * calls;
}

export function open(circuit: Circuit, until: number): Change {
  circuit.openUntil = until;
  circuit.probes = undefined;
  return "opened";
}

/** Also forgets what was counted. */
export function close(circuit: Circuit): void {
  Object.assign(circuit, closedCircuit());
}
