import { timerFor } from "./longest-timer.ts";

export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value;

/**
 * What a plugin gives, waited for so many milliseconds at most; `expired` is what it rejects with then. What is at hand
 * costs no clock. Whatever goes on behind the deadline goes on unheard.
 */
export function withDeadline<Value>(pending: Promise<Value>, deadlineMs: number, expired: () => Error): Promise<Value>;
export function withDeadline<Value>(
  pending: Value | PromiseLike<Value>,
  deadlineMs: number,
  expired: () => Error,
): Value | Promise<Value>;
export function withDeadline<Value>(
  pending: Value | PromiseLike<Value>,
  deadlineMs: number,
  expired: () => Error,
): Value | Promise<Value> {
  if (!isThenable(pending)) return pending;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(expired()), timerFor(deadlineMs));
  });
  return Promise.race([pending as PromiseLike<Value>, deadline]).finally(() => clearTimeout(timer));
}

/** How it is told of whatever did not come in time. */
export const unsettled = (deadlineMs: number): Error => new Error(`did not settle within ${deadlineMs} ms`);
