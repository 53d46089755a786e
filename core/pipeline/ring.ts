/** What tapable calls when all taps have answered, or one has failed. */
type Done<Value> = (error?: Error | null, value?: Value) => void;

/**
 * What becomes of a hook that is rung. It stays synchronous as long as its taps are: the value itself when every tap answered at
 * once, a promise only when one did not.
 */
class Ring<Value> {
  private settled = false;
  private failure: unknown;
  private value: unknown;
  private waiting: { resolve(value: Value): void; reject(error: unknown): void } | undefined;

  readonly done: Done<Value> = (error, value) => {
    this.settled = true;
    this.failure = error;
    this.value = value;
    if (this.waiting) error ? this.waiting.reject(error) : this.waiting.resolve(value as Value);
  };

  /** Throws what a tap failed with at once. */
  outcome(): Value | Promise<Value> {
    if (!this.settled)
      return new Promise<Value>((resolve, reject) => {
        this.waiting = { resolve, reject };
      });
    if (this.failure) throw this.failure;
    return this.value as Value;
  }
}

/** The first answer of a bail hook. */
export function ringFirst<Arg, Result>(
  hook: { callAsync(arg: Arg, done: Done<Result>): void },
  arg: Arg,
): Result | undefined | Promise<Result | undefined> {
  const ring = new Ring<Result>();
  hook.callAsync(arg, ring.done);
  return ring.outcome();
}

/** The value that comes out of a waterfall. */
export function ringThrough<Value, Context>(
  hook: { callAsync(value: Value, context: Context, done: Done<Value>): void },
  value: Value,
  context: Context,
): Value | Promise<Value> {
  const ring = new Ring<Value>();
  hook.callAsync(value, context, ring.done);
  return ring.outcome();
}

/** Every tap, in order. */
export function ringAll<Arg>(hook: { callAsync(arg: Arg, done: Done<void>): void }, arg: Arg): void | Promise<void> {
  const ring = new Ring<void>();
  hook.callAsync(arg, ring.done);
  return ring.outcome();
}
