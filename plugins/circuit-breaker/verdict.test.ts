import { expect, it } from "vitest";
import { failed, outcome } from "../../test/support/walks.ts";
import { breakerPolicy } from "./policy.ts";
import { verdictOf } from "./verdict.ts";

const policyOf = (more: object = {}) =>
  breakerPolicy.parse({ failure_threshold: 1, cooldown_interval: 30_000, ...more });

it.each([
  // What an upstream answered.
  ["200", outcome(200), false],
  ["400", outcome(400), false],
  ["an upstream's own 412", outcome(412), false],
  ["an upstream's own 429", outcome(429), false],
  ["499", outcome(499), false],
  ["500", outcome(500), true],
  ["503", outcome(503), true],
  ["529", outcome(529), true],
  // What became of it on the way.
  ["a refused connection", failed.refused, true],
  ["a host that cannot be reached", failed.unreachable, true],
  ["a timeout, by its status", failed.timeout, false],
  ["an answer nobody can read", outcome(502, { code: "upstream_invalid" }), true],
  // What says nothing about the upstream.
  ["a budget of the gateway", outcome(412, { code: "budget_exhausted" }), undefined],
  ["a rate limit of the gateway", outcome(429, { code: "rate_limited" }), undefined],
  ["a guardrail's soft failure", outcome(246), undefined],
  ["a guardrail's denial", outcome(446), undefined],
  ["a cache hit", outcome(200, { given: true }), undefined],
  ["an error a plugin answered", outcome(500, { given: true }), undefined],
  ["a client that left", outcome(499, { code: "client_gone" }), undefined],
  ["a failure of the gateway", failed.internal, undefined],
  ["a refusal of the gateway", outcome(400, { code: "params_dropped" }), undefined],
])("%s is told by its status and by who made it", (_, went, expected) => {
  expect(verdictOf(went, policyOf())).toBe(expected);
});

it("is a matter of the list where there is one", () => {
  const policy = policyOf({ failure_status_codes: [408, "429", 500] });
  const verdicts = [failed.timeout, outcome(429), failed.refused, outcome(503), outcome(200)].map((went) =>
    verdictOf(went, policy),
  );
  expect(verdicts).toEqual([true, true, true, false, false]);
  expect(verdictOf(outcome(429, { code: "rate_limited" }), policy)).toBeUndefined();
});
