import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { abandon, begin, type Circuit, closedCircuit, count, isShut, phaseAt, settle } from "./circuit.ts";
import { type BreakerPolicy, breakerPolicy } from "./policy.ts";

const second = 1000;
const cooldown = 30 * second;
const policyOf = (more: object): BreakerPolicy => breakerPolicy.parse({ cooldown_interval: cooldown, ...more });

const ends = (circuit: Circuit, policy: BreakerPolicy, failed: boolean, now: number) =>
  settle(circuit, policy, { failed, probe: false }, now);

/** `F` is a failure, `S` a success, `+n` lets n seconds pass. */
function after(events: string, policy: BreakerPolicy): { circuit: Circuit; now: number } {
  const circuit = closedCircuit();
  let now = 0;
  for (const [event] of events.matchAll(/[FS]|\+[\d.]+/g)) {
    if (event.startsWith("+")) now += Number(event.slice(1)) * second;
    else ends(circuit, policy, event === "F", now);
  }
  return { circuit, now };
}

describe("a circuit", () => {
  it.each<[string, object, string, string, number, number]>([
    // Events, what it is then, failures, successes.
    ["counts successes", { failure_threshold: 3 }, "SSS", "closed", 0, 3],
    ["counts failures", { failure_threshold: 3 }, "FSF", "closed", 2, 1],
    ["opens at the threshold", { failure_threshold: 3 }, "FFSF", "open", 3, 1],
    ["opens with the first failure", { failure_threshold: 1 }, "F", "open", 1, 0],
    ["stays open until the cooldown has passed", { failure_threshold: 1 }, "F+29.999", "open", 1, 0],
    ["closes then, with nothing counted", { failure_threshold: 1 }, "F+30", "closed", 0, 0],
    ["opens again as before", { failure_threshold: 2 }, "FF+30F", "closed", 1, 0],
    ["does not count while open", { failure_threshold: 2 }, "FF+10FS", "open", 2, 0],
    ["is not kept open by failures meanwhile", { failure_threshold: 1 }, "F+20F+10", "closed", 0, 0],
    ["forgets failures after the cooldown", { failure_threshold: 3 }, "SFF+30", "closed", 0, 0],
    ["counts from the first failure, not the last", { failure_threshold: 3 }, "F+20F+10F", "closed", 1, 0],
    ["keeps them until then", { failure_threshold: 3 }, "F+20F+9.999F", "open", 3, 0],
    ["keeps successes before any failure", { failure_threshold: 3 }, "S+100S", "closed", 0, 2],
    ["opens at the share", { failure_threshold_percentage: 50 }, "SSFF", "open", 2, 2],
    ["not below it", { failure_threshold_percentage: 50 }, "SSSFF", "closed", 2, 3],
    ["not before enough calls", { failure_threshold_percentage: 50, minimum_requests: 4 }, "FFF", "closed", 3, 0],
    ["with enough calls", { failure_threshold_percentage: 50, minimum_requests: 4 }, "FFSF", "open", 3, 1],
    [
      "not by a success, though the share is reached",
      { failure_threshold_percentage: 50, minimum_requests: 4 },
      "FFFS",
      "closed",
      3,
      1,
    ],
    ["with either threshold", { failure_threshold: 2, failure_threshold_percentage: 100 }, "SFSF", "open", 2, 2],
    [
      "the number of failures whatever the least calls",
      { failure_threshold: 2, failure_threshold_percentage: 100, minimum_requests: 50 },
      "FF",
      "open",
      2,
      0,
    ],
    ["a share that is no whole number", { failure_threshold_percentage: 33.4 }, "SSF", "closed", 1, 2],
    ["a share of all", { failure_threshold_percentage: 100, minimum_requests: 2 }, "FF", "open", 2, 0],
  ])("%s", (_, thresholds, events, phase, failures, successes) => {
    const policy = policyOf(thresholds);
    const { circuit, now } = after(events, policy);
    expect(phaseAt(circuit, policy, now)).toBe(phase);
    expect(circuit).toMatchObject({ failures, successes });
    expect(isShut(circuit, policy, now)).toBe(phase === "open");
  });

  it("takes what happened elsewhere together", () => {
    const policy = policyOf({ failure_threshold: 5 });
    const circuit = closedCircuit();
    expect(count(circuit, policy, { failures: 4, successes: 9 }, 0)).toBeUndefined();
    expect(count(circuit, policy, { failures: 0, successes: 1 }, 0)).toBeUndefined();
    expect(ends(circuit, policy, true, 1)).toBe("opened");
    expect(count(circuit, policy, { failures: 4, successes: 0 }, 2)).toBeUndefined();
    expect(circuit).toMatchObject({ failures: 5, successes: 10, openUntil: 1 + cooldown });
  });
});

describe("a circuit with half_open_requests", () => {
  const policy = policyOf({ failure_threshold: 1, half_open_requests: 2 });
  const halfOpen = () => {
    const circuit = closedCircuit();
    ends(circuit, policy, true, 0);
    return circuit;
  };

  it("lets so many through, and closes when one succeeded", () => {
    const circuit = halfOpen();
    expect([isShut(circuit, policy, cooldown), begin(circuit, policy, cooldown)]).toEqual([false, true]);
    expect([isShut(circuit, policy, cooldown), begin(circuit, policy, cooldown)]).toEqual([false, true]);
    expect(isShut(circuit, policy, cooldown)).toBe(true);
    expect(settle(circuit, policy, { failed: false, probe: true }, cooldown + 1)).toBe("closed");
    expect(circuit).toEqual(closedCircuit());
  });

  it("opens again when one failed, for as long as before", () => {
    const circuit = halfOpen();
    begin(circuit, policy, cooldown);
    expect(settle(circuit, policy, { failed: true, probe: true }, cooldown + 5)).toBe("opened");
    expect(circuit.openUntil).toBe(2 * cooldown + 5);
  });

  it("learns nothing from calls begun before", () => {
    const circuit = halfOpen();
    for (const failed of [true, false])
      expect(settle(circuit, policy, { failed, probe: false }, cooldown)).toBeUndefined();
    expect(phaseAt(circuit, policy, cooldown)).toBe("half-open");
  });

  it("gives the place of a probe that showed nothing to another, at the latest after the cooldown", () => {
    const circuit = halfOpen();
    for (let at = 0; at < 2; at++) begin(circuit, policy, cooldown);
    expect(isShut(circuit, policy, cooldown)).toBe(true);
    abandon(circuit);
    expect(isShut(circuit, policy, cooldown)).toBe(false);
    begin(circuit, policy, cooldown + 10);
    expect(isShut(circuit, policy, 2 * cooldown + 9)).toBe(true);
    expect(isShut(circuit, policy, 2 * cooldown + 10)).toBe(false);
  });
});

/** A circuit told from all that ever happened to it, by reading section 11.2 line by line. */
function naive(events: readonly Event[], policy: BreakerPolicy) {
  let counted: Event[] = [];
  let openedAt: number | undefined;
  for (const event of events) {
    const { at, kind } = event;
    if (openedAt !== undefined && at >= openedAt + policy.cooldown_interval) {
      openedAt = undefined;
      counted = [];
    }
    if (openedAt !== undefined) continue;
    const first = counted.find((one) => one.kind === "failure");
    if (first && at >= first.at + policy.cooldown_interval) counted = [];
    if (kind === "look") continue;
    counted.push(event);
    if (kind === "success") continue;
    const failures = counted.filter((one) => one.kind === "failure").length;
    const share = (failures / counted.length) * 100;
    const { failure_threshold = Number.POSITIVE_INFINITY, failure_threshold_percentage = 101 } = policy;
    const isJudged = counted.length >= policy.minimum_requests;
    if (failures >= failure_threshold || (isJudged && share >= failure_threshold_percentage)) openedAt = at;
  }
  const failures = counted.filter(({ kind }) => kind === "failure").length;
  return { phase: openedAt === undefined ? "closed" : "open", failures, successes: counted.length - failures };
}

interface Event {
  readonly at: number;
  readonly kind: "failure" | "success" | "look";
}

it("is at all times what the rules say of all that happened", () => {
  const kind = fc.constantFrom<Event["kind"]>("failure", "success", "look");
  const steps = fc.array(fc.tuple(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })), kind), {
    maxLength: 60,
  });
  const policies = fc
    .record(
      {
        failure_threshold: fc.integer({ min: 1, max: 6 }),
        // Shares that divide evenly: the reference computes in fractions.
        failure_threshold_percentage: fc.constantFrom(1, 25, 50, 75, 100),
        minimum_requests: fc.integer({ min: 1, max: 8 }),
      },
      { requiredKeys: [] },
    )
    .filter((one) => one.failure_threshold !== undefined || one.failure_threshold_percentage !== undefined)
    .map(policyOf);
  fc.assert(
    fc.property(policies, steps, (policy, given) => {
      const circuit = closedCircuit();
      const events: Event[] = [];
      let now = 0;
      for (const [wait, kind] of given) {
        now += wait;
        events.push({ at: now, kind });
        if (kind !== "look") ends(circuit, policy, kind === "failure", now);
        const expected = naive(events, policy);
        const phase = phaseAt(circuit, policy, now);
        expect({ phase, failures: circuit.failures, successes: circuit.successes }).toEqual(expected);
      }
    }),
    { numRuns: 500 },
  );
});
