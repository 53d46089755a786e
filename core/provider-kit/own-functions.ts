import { errorMessage } from "../errors/error-message.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { OperationSpec } from "../model/provider.ts";

/** Of whom functions are, as it stands in front of what they fail with: `provider acme`. */
export type Owner = `${"provider" | "format"} ${string}`;

/** What somebody's function failed with. What is said to clients on purpose stays as it is. */
export function blamed(owner: Owner, what: string, cause: unknown): unknown {
  if (cause instanceof GatewayError) return cause;
  return new Error(`[${owner}] ${what}: ${errorMessage(cause)}`, { cause });
}

/** Calls a function of a provider; what it fails with names both. */
export function blaming<Result>(owner: Owner, what: string, call: () => Result): Result {
  try {
    return call();
  } catch (cause) {
    throw blamed(owner, what, cause);
  }
}

/**
 * The same for a function that requests call: it is made ready once, with the two arguments any of them takes. What it
 * stands beside is its `this` as it would be without.
 */
export const named = <First, Second, Result>(
  owner: Owner,
  what: string,
  call: (first: First, second: Second) => Result,
) =>
  function (this: unknown, first: First, second: Second): Result {
    try {
      return call.call(this, first, second);
    } catch (cause) {
      throw blamed(owner, what, cause);
    }
  };

/** An operation, or what a format says of one, whose functions say whose they are when they fail. */
export function namedFunctions<Spec extends Partial<OperationSpec>>(owner: Owner, spec: Spec): Spec {
  const { path, serves, model, metadata, rewrite, normalise, normaliseFrame } = spec;
  return {
    ...spec,
    ...(typeof path === "function" && { path: named(owner, "path", path) }),
    ...(serves && { serves: named(owner, "serves", serves) }),
    ...(model && { model: named(owner, "model", model) }),
    ...(metadata && { metadata: named(owner, "metadata", metadata) }),
    ...(rewrite && { rewrite: { ...rewrite, apply: named(owner, "rewrite", rewrite.apply) } }),
    ...(normalise && { normalise: named(owner, "normalise", normalise) }),
    ...(normaliseFrame && { normaliseFrame: named(owner, "normaliseFrame", normaliseFrame) }),
  };
}
