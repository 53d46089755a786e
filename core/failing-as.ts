/** Makes of what somebody's function threw what is told of it. */
export type Failed = (cause: unknown) => unknown;

/** As many arguments as any function takes that is made ready here. */
type Arguments = readonly [first?: unknown, second?: unknown, third?: unknown];
type Plain = (this: unknown, ...given: Arguments) => unknown;

/**
 * A function whose failures are told as `failed` has them, also what it rejects with, made ready once: a call makes no list
 * of its arguments. What it stands beside is its `this` as it would be without.
 */
export function failingAs<Call extends (...given: never) => unknown>(failed: Failed, call: Call): Call {
  const plain = call as unknown as Plain;
  const rejected = (cause: unknown): never => {
    throw failed(cause);
  };
  const ready: Plain = function (first, second, third) {
    try {
      const result = plain.call(this, first, second, third);
      return result instanceof Promise ? result.catch(rejected) : result;
    } catch (cause) {
      throw failed(cause);
    }
  };
  return ready as unknown as Call;
}
