import { type Fields, type FinishReason, isRecord, lookUp } from "../../../core/index.ts";

const reasons: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: "length",
  content_filter: "content-filter",
};
const words: Readonly<Partial<Record<FinishReason, string>>> = {
  length: "max_output_tokens",
  "content-filter": "content_filter",
};

/** How an answer ended: its reason, the vendor's word for it, and what has no reason here, as it stands there. */
export interface Ending {
  readonly reason: FinishReason;
  readonly raw?: string;
  readonly kept?: Readonly<Fields>;
}

/** An answer that asks for tools waits for their results, however it is said to have ended. */
export function decodeStatus({ status, incomplete_details: details }: Readonly<Fields>, called: boolean): Ending {
  if (status === "incomplete") {
    const raw = isRecord(details) && typeof details.reason === "string" ? details.reason : undefined;
    const known = raw === undefined ? undefined : lookUp(reasons, raw);
    // Whatever stopped it, the answer is not whole.
    const kept = known ? {} : { kept: { incomplete_details: details ?? null } };
    return { reason: known ?? "length", ...(raw !== undefined && { raw }), ...kept };
  }
  if (status === "completed" || typeof status !== "string") return { reason: called ? "tool-calls" : "stop" };
  return { reason: "other", raw: status, kept: { status } };
}

/** Why the answer is not whole; undefined when it is. */
export const incompleteReason = (reason: FinishReason): string | undefined => words[reason];
