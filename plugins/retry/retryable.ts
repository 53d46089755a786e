import { errorTable, type Outcome } from "../../core/index.ts";

/** A connection that was not to be had, or broke: tried again whatever statuses a config lists. */
const connectionFailures: ReadonlySet<string | undefined> = new Set(["upstream_failed", "upstream_unreachable"]);

/** What vendors call requests that fail the same way every time, under whatever status they say so. */
const hopeless: ReadonlySet<string | undefined> = new Set([
  "context_length_exceeded",
  "string_above_max_length",
  "request_too_large",
  "content_filter",
  "content_policy_violation",
  "invalid_prompt",
  "model_not_found",
  "insufficient_quota",
  "billing_hard_limit_reached",
  "billing_not_active",
]);

/** Whether calling again is allowed and could help (routing-config.md 8.2). */
export function isRetryable(outcome: Outcome, statuses: ReadonlySet<number>): boolean {
  const { code, status, exception, reason, given, foregone } = outcome;
  if (exception || given || foregone || hopeless.has(reason)) return false;
  if (connectionFailures.has(code)) return true;
  // What the gateway refused itself (limits, addresses, requests) it would refuse again.
  if (code !== undefined && !errorTable[code].retryable) return false;
  return statuses.has(status);
}

const denied = 446;
const deniedSoftly = 246;

export const isGuardrailStatus = ({ status }: Outcome): boolean => status === denied || status === deniedSoftly;

/** A route that let the gateway wait for nothing: calling it again makes a client wait once more. */
export const isSilence = ({ code }: Outcome): boolean => code === "request_timeout" || code === "upstream_unreachable";
