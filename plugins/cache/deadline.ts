import { timerFor } from "../../core/index.ts";

/** What stands in for an answer that did not come in time, or not at all. */
export const late = Symbol("late");

/** An answer, or `late` after so many milliseconds and where it fails. What comes later is nobody's any more. */
export function within<Value>(asked: Promise<Value>, milliseconds: number): Promise<Value | typeof late> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timerFor(milliseconds), late);
    asked.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      () => {
        clearTimeout(timer);
        resolve(late);
      },
    );
  });
}
