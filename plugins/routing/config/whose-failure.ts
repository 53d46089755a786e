import { errorMessage, type Failed, GatewayError, type Route } from "../../../core/index.ts";

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
export function* namedRoute(route: Route, failed: Failed): Route {
  try {
    return yield* route;
  } catch (cause) {
    throw failed(cause);
  }
}
