import type { GuardrailFeedback } from "../../../core/index.ts";
import type { Hook } from "../hook.ts";
import type { CheckEntry, FeedbackEntry } from "./results.ts";

/** What a guardrail says of an outcome, with the checks that led to it (guardrails.md section 3.5). */
export function feedbackFor({ onSuccess, onFail }: Hook, checks: readonly CheckEntry[]): FeedbackEntry | null {
  if (!onSuccess && !onFail) return null;
  const well = checks.every(({ verdict, error }) => verdict || error !== undefined);
  const chosen = well ? onSuccess : onFail;
  if (!chosen) return null;
  const ids = (which: (check: CheckEntry) => boolean) =>
    checks
      .filter(which)
      .map(({ id }) => id)
      .join(", ");
  return {
    value: chosen.value,
    weight: chosen.weight,
    metadata: {
      ...metadataOf(chosen),
      successfulChecks: ids(({ verdict }) => verdict),
      failedChecks: ids(({ verdict, error }) => !verdict && error === undefined),
      erroredChecks: ids(({ verdict, error }) => !verdict && error !== undefined),
    },
  };
}

function metadataOf({ metadata }: GuardrailFeedback): Readonly<Record<string, unknown>> {
  if (typeof metadata !== "string") return metadata;
  if (metadata === "") return {};
  try {
    const read: unknown = JSON.parse(metadata);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as Record<string, unknown>;
  } catch {
    // A text of no particular form.
  }
  return { metadata };
}
