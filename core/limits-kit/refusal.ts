import { GatewayError } from "../errors/gateway-error.ts";
import type { LimitLevel } from "../model/limited.ts";

/** A limit a request did not stay within. */
export interface LimitRefusal {
  readonly kind: "usage" | "rate";
  readonly level: LimitLevel | "policy";
  /** The name of a key, the slug of a workspace or provider, the name of a policy. */
  readonly subject: string;
  /** `2 requests per minute`, `20 USD, weekly`. */
  readonly wording: string;
  readonly type: "cost" | "tokens" | "requests";
  /** In dollars, tokens or requests. */
  readonly limit: number;
  readonly current: number;
  /** What the request may use, where that alone is what there is no room for, and how both are said: `0.4 USD`. */
  readonly beyond?: { readonly expected: number; readonly wording: string; readonly left: string } | undefined;
  /** `rpm`, of rates. */
  readonly unit?: string;
  /** Unix milliseconds; absent where nothing is ever reset. */
  readonly resetsAt?: number | undefined;
  readonly policy?: { readonly id: string; readonly valueKey: string };
}

/** `provider_usage_limit_exceeded` (policies.md section 10.2). */
export const refusalReason = ({ kind, level }: Pick<LimitRefusal, "kind" | "level">): string =>
  `${level}_${kind}_limit_exceeded`;

const levelNames: Readonly<Record<LimitRefusal["level"], string>> = {
  api_key: "API key",
  token: "token",
  workspace: "workspace",
  integration: "integration",
  provider: "provider",
  policy: "policy",
};

/** The error of a limit: 412 for budgets, 429 with the time to come back for rates. `now` is Unix milliseconds. */
export function limitExceeded(refusal: LimitRefusal, now: number): GatewayError {
  const { kind, level, subject, type, limit, current, unit, resetsAt, policy, beyond } = refusal;
  const resets = resetsAt === undefined ? undefined : new Date(resetsAt).toISOString();
  const until = kind === "usage" ? (resets ? ` Resets at ${resets}.` : " It is not reset by itself.") : "";
  const message = `Gateway Error: ${whatOf(refusal)}.${until}`;
  return new GatewayError(kind === "usage" ? "budget_exhausted" : "rate_limited", message, {
    limit: {
      reason: refusalReason(refusal),
      level,
      subject,
      ...(policy && { policy_id: policy.id, value_key: policy.valueKey }),
      limit_type: type,
      ...(unit !== undefined && { unit }),
      limit,
      current,
      ...(beyond && { expected: beyond.expected }),
      resets_at: resets ?? null,
    },
    ...(kind === "rate" && resetsAt !== undefined && { retryAfterSeconds: Math.max(0.001, (resetsAt - now) / 1000) }),
  });
}

function whatOf({ kind, level, subject, wording, beyond }: LimitRefusal): string {
  const limited = `${levelNames[level]} ${subject} (${wording})`;
  if (kind === "rate") return `rate limit exceeded for ${limited}`;
  if (!beyond) return `usage limit reached for ${limited}`;
  return `this request is expected to use ${beyond.wording}, more than the ${beyond.left} left of the usage limit for ${limited}`;
}
