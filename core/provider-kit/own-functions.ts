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

/** As many arguments as any function of a provider takes. */
type Arguments = readonly [first?: unknown, second?: unknown, third?: unknown];
type Plain = (this: unknown, ...given: Arguments) => unknown;

/**
 * A function that names its owner when it fails, made ready once: a call makes no list of its arguments. What it stands
 * beside is its `this` as it would be without.
 */
export function named<Call extends (...given: never) => unknown>(owner: Owner, what: string, call: Call): Call {
  const plain = call as unknown as Plain;
  const ready: Plain = function (first, second, third) {
    try {
      return plain.call(this, first, second, third);
    } catch (cause) {
      throw blamed(owner, what, cause);
    }
  };
  return ready as unknown as Call;
}

/** The same for one that may take its time: what it rejects with is named as well. */
export function namedLater<Call extends (...given: never) => unknown>(owner: Owner, what: string, call: Call): Call {
  const begin = named(owner, what, call) as unknown as Plain;
  const failed = (cause: unknown): never => {
    throw blamed(owner, what, cause);
  };
  const ready: Plain = function (first, second, third) {
    const result = begin.call(this, first, second, third);
    return result instanceof Promise ? result.catch(failed) : result;
  };
  return ready as unknown as Call;
}

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
