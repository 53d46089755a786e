import type { Answer } from "./model/answer.ts";

/** Whether what a tap on `beforeRequest` is shown is an answer already. */
export const isAnswer = (seen: unknown): seen is Answer =>
  typeof seen === "object" && seen !== null && "kind" in seen && seen.kind === "answer";

/**
 * Ends a tap of `tapAsync` with what is known now, or once it is: what is at hand costs no turn of the event loop. What
 * the tap itself throws needs no care, the hook tells whose failure it is.
 */
export function settleTap<Value>(
  value: Value | undefined | Promise<Value | undefined>,
  done: (error?: Error | null, value?: Value) => void,
): void {
  if (value instanceof Promise)
    value.then(
      (settled) => done(null, settled),
      // A reason of nothing would be taken for an answer.
      (reason) => done(reason ?? new Error("rejected without a reason")),
    );
  else done(null, value);
}
