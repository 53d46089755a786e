import { errorMessage, type Failed, GatewayError, type Outcome, type Route, type Target } from "../../../core/index.ts";

/** Failures of others that come by way of a plugin's function: they are none of that plugin's. */
const passing = new WeakSet<object>();

/** Says that a failure is nobody's who has walked as far as here. */
export function notTheirs(cause: unknown): unknown {
  if (typeof cause === "object" && cause !== null) passing.add(cause);
  return cause;
}

/** What a plugin's function failed with, as it is told. What is said to clients on purpose stays as it is. */
export const failedIn =
  (plugin: string, what: string): Failed =>
  (cause) => {
    if (cause instanceof GatewayError || (typeof cause === "object" && cause !== null && passing.has(cause)))
      return cause;
    return new GatewayError(
      "plugin_failed",
      `[plugin ${plugin}] ${what}: ${errorMessage(cause)}`,
      { plugin },
      { cause },
    );
  };

/** Calls a function; what it throws says whose it is. */
export function calling<Result>(failed: Failed, call: () => Result): Result {
  try {
    return call();
  } catch (cause) {
    throw failed(cause);
  }
}

/** The same of what a function gives to be walked. */
export const namedRoute = (route: Route, failed: Failed): Route =>
  isIterator(route) ? (new NamedRoute(route, failed) as Pick<Route, "next"> as Route) : walked(route, failed);

const isIterator = (route: Route): boolean =>
  typeof route?.next === "function" &&
  typeof route[Symbol.iterator] === "function" &&
  route[Symbol.iterator]() === route;

/** What is no iterator itself may still be something to go through, or says itself what it is not. */
function* walked(route: Route, failed: Failed): Route {
  try {
    return yield* route;
  } catch (cause) {
    throw failed(cause);
  }
}

/** Not a generator around another one: each of them is gone through twice for every call. */
class NamedRoute {
  readonly #route: Route;
  readonly #failed: Failed;

  constructor(route: Route, failed: Failed) {
    this.#route = route;
    this.#failed = failed;
  }

  next(outcome: Outcome): IteratorResult<Target, Outcome> {
    try {
      const step: unknown = this.#route.next(outcome);
      if (typeof step !== "object" || step === null) throw new TypeError(`a step is ${String(step)}, and no object`);
      return step as IteratorResult<Target, Outcome>;
    } catch (cause) {
      throw this.#failed(cause);
    }
  }

  return(outcome: Outcome): IteratorResult<Target, Outcome> {
    try {
      return this.#route.return?.(outcome) ?? { done: true, value: outcome };
    } catch (cause) {
      throw this.#failed(cause);
    }
  }

  throw(reason: unknown): IteratorResult<Target, Outcome> {
    try {
      if (!this.#route.throw) throw reason;
      return this.#route.throw(reason);
    } catch (cause) {
      throw this.#failed(cause);
    }
  }

  [Symbol.iterator](): this {
    return this;
  }
}
