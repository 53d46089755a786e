import type { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook } from "tapable";

type Ringable = Pick<AsyncSeriesHook<[unknown]>, "callAsync">;

/**
 * Rings a hook and stays synchronous as long as its taps are: the value itself when every tap answered at once, a
 * promise only when one did not.
 */
function ring<Value>(hook: Ringable, args: readonly unknown[]): Value | Promise<Value> {
  let settled = false;
  let failure: unknown;
  let value: unknown;
  let waiting: { resolve(value: Value): void; reject(error: unknown): void } | undefined;
  const call = hook.callAsync as (...all: unknown[]) => void;
  call.call(hook, ...args, (error: unknown, result: unknown) => {
    settled = true;
    failure = error;
    value = result;
    if (waiting) error ? waiting.reject(error) : waiting.resolve(result as Value);
  });
  if (!settled) {
    return new Promise<Value>((resolve, reject) => {
      waiting = { resolve, reject };
    });
  }
  if (failure) throw failure;
  return value as Value;
}

/** The first answer of a bail hook. */
export const ringFirst = <Arg, Result>(
  hook: AsyncSeriesBailHook<[Arg], Result>,
  arg: Arg,
): Result | undefined | Promise<Result | undefined> => ring(hook as unknown as Ringable, [arg]);

/** The value that comes out of a waterfall. */
export const ringThrough = <Value, Context, Options>(
  hook: AsyncSeriesWaterfallHook<[Value, Context], Value, Options>,
  value: Value,
  context: Context,
): Value | Promise<Value> => ring(hook as unknown as Ringable, [value, context]);

/** Every tap, in order. */
export const ringAll = <Arg>(hook: AsyncSeriesHook<[Arg]>, arg: Arg): void | Promise<void> =>
  ring(hook as unknown as Ringable, [arg]);
