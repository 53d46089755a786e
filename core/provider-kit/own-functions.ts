import { errorMessage } from "../errors/error-message.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { OwnedError } from "../errors/owned-error.ts";
import { failingAs } from "../failing-as.ts";
import type { OperationSpec } from "../model/operation-spec.ts";
import { type FieldKind, fieldKinds, kindOf } from "./field-kinds.ts";

/** Of whom functions are, as it stands in front of what they fail with: `provider acme`. */
export type Owner = `${"provider" | "format"} ${string}`;

/** What somebody's function failed with. What is said to clients on purpose stays as it is. */
function blamed(owner: Owner, what: string, cause: unknown): unknown {
  if (cause instanceof GatewayError) return cause;
  return new OwnedError(`[${owner}] ${what}: ${errorMessage(cause)}`, { cause });
}

/** A function that names its owner when it fails. */
export const named = <Call extends (...given: never) => unknown>(owner: Owner, what: string, call: Call): Call =>
  failingAs((cause) => blamed(owner, what, cause), call);

/**
 * A function of at most two arguments that has failed where what it gives does not fit. What it gives back as it got it is not its doing:
 * a vendor may answer with a list.
 */
function fitting<Call extends (...given: never) => unknown>(kind: FieldKind, call: Call): Call {
  const plain = call as unknown as (this: unknown, first?: unknown, second?: unknown) => unknown;
  const judged = function (this: unknown, first?: unknown, second?: unknown) {
    const given = plain.call(this, first, second);
    if (given === first || kind.fits(given)) return given;
    throw new Error(
      `it gave ${typeof given === "string" ? JSON.stringify(given) : kindOf(given)}, and has to give ${kind.words}`,
    );
  };
  return judged as unknown as Call;
}

/** An operation, or what a format says of one, whose functions say whose they are when they fail. */
export function namedFunctions<Spec extends Partial<OperationSpec>>(owner: Owner, spec: Spec): Spec {
  const { path, serves, firstFor, model, metadata, streamsOnly, rewrite, normalise, normaliseFrame } = spec;
  return {
    ...spec,
    ...(typeof path === "function" && { path: named(owner, "path", fitting(fieldKinds.path, path)) }),
    ...(serves && { serves: named(owner, "serves", serves) }),
    ...(firstFor && { firstFor: named(owner, "firstFor", firstFor) }),
    ...(model && { model: named(owner, "model", model) }),
    ...(metadata && { metadata: named(owner, "metadata", metadata) }),
    ...(streamsOnly && { streamsOnly: named(owner, "streamsOnly", streamsOnly) }),
    ...(rewrite && { rewrite: { ...rewrite, apply: named(owner, "rewrite", fitting(fieldKinds.map, rewrite.apply)) } }),
    ...(normalise && { normalise: named(owner, "normalise", fitting(fieldKinds.map, normalise)) }),
    ...(normaliseFrame && { normaliseFrame: named(owner, "normaliseFrame", fitting(fieldKinds.map, normaliseFrame)) }),
  };
}
