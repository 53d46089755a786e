import type { ErrorCode, Outcome } from "../../core/index.ts";
import type { BreakerPolicy } from "./policy.ts";

/** What the gateway notices itself and the upstream is to blame for: it counts by its status. */
const ofUpstream: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "request_timeout",
  "upstream_failed",
  "upstream_unreachable",
  "upstream_invalid",
  "upstream_too_large",
  "upstream_truncated",
  "malformed_frame",
]);

/** A guardrail's doing, whatever the upstream answered. */
const ofGuardrails: ReadonlySet<number> = new Set([246, 446]);

/** Whether a leaf failed; undefined for what says nothing about its upstream (routing-config.md 11.3). */
export function verdictOf(outcome: Outcome, policy: BreakerPolicy): boolean | undefined {
  const { status, code, given, exception } = outcome;
  if (given || exception || ofGuardrails.has(status)) return undefined;
  if (code !== undefined && !ofUpstream.has(code)) return undefined;
  return policy.failure_status_codes ? policy.failure_status_codes.includes(status) : status >= 500;
}
