import type { CallsEntry } from "./call-log.ts";

/** What a check said, as clients and records see it (guardrails.md section 4.2). */
export interface CheckEntry {
  readonly data: unknown;
  readonly verdict: boolean;
  readonly id: string;
  readonly error?: { readonly name: string; readonly message: string };
  /** Milliseconds. */
  readonly execution_time: number;
  readonly transformed: boolean;
  readonly created_at: string;
  readonly log: CallsEntry | null;
  readonly fail_on_error: boolean;
}

/** What a guardrail said. */
export interface HookEntry {
  readonly verdict: boolean;
  readonly id: string;
  readonly transformed: boolean;
  readonly checks: readonly CheckEntry[];
  readonly feedback: FeedbackEntry | null;
  readonly execution_time: number;
  readonly async: boolean;
  readonly type: "guardrail" | "mutator";
  readonly created_at: string;
  readonly deny: boolean;
  /** The longest a part of a stream was held back, in milliseconds; of streams only. */
  readonly stream_delay?: number;
}

export interface FeedbackEntry {
  readonly value: number;
  readonly weight: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

type Judged = Pick<CheckEntry, "verdict" | "fail_on_error"> & { readonly error?: CheckEntry["error"] | undefined };

/** An error counts as a pass, unless the guardrail says otherwise. */
export const isGood = ({ verdict, error, fail_on_error }: Judged): boolean =>
  verdict || (error !== undefined && !fail_on_error);
