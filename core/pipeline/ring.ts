/** What tapable calls when all taps have answered, or one has failed. */
type Done<Value> = (error?: Error | null, value?: Value) => void;

/**
 * Rings a hook and stays synchronous as long as its taps are: the value itself when every tap answered at once, a
 * promise only when one did not.
 */
function rung<Value>(ring: (done: Done<Value>) => void): Value | Promise<Value> {
  let settled = false;
  let failure: unknown;
  let value: unknown;
  let waiting: { resolve(value: Value): void; reject(error: unknown): void } | undefined;
  ring((error, result) => {
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
  hook: { callAsync(arg: Arg, done: Done<Result>): void },
  arg: Arg,
): Result | undefined | Promise<Result | undefined> => rung<Result>((done) => hook.callAsync(arg, done));

/** The value that comes out of a waterfall. */
export const ringThrough = <Value, Context>(
  hook: { callAsync(value: Value, context: Context, done: Done<Value>): void },
  value: Value,
  context: Context,
): Value | Promise<Value> => rung<Value>((done) => hook.callAsync(value, context, done));

/** Every tap, in order. */
export const ringAll = <Arg>(hook: { callAsync(arg: Arg, done: Done<void>): void }, arg: Arg): void | Promise<void> =>
  rung<void>((done) => hook.callAsync(arg, done));
