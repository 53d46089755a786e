import type { ClientHeaders } from "../../model/headers.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";
import type { GatewayRequest } from "../../model/request.ts";

export interface Choosing {
  /** The client's format. */
  readonly format: string;
  /** The format it is a dialect of. */
  readonly dialectOf?: string | undefined;
  readonly model: string;
  readonly headers?: ClientHeaders | undefined;
  /** What is asked for; absent is nothing special. */
  readonly request?: GatewayRequest;
  /** The format its client prefers where the vendor does not speak its own. */
  readonly preferred?: string | undefined;
}

/**
 * Of the ways a provider offers an operation in, the one a request takes: one that comes first for it, else the client's
 * own format if it can, or that which it is a dialect of, else the one its client prefers, else the first there is.
 */
export function chosenOperation(
  specs: readonly OperationSpec[],
  { format, dialectOf, model, headers, request, preferred }: Choosing,
): OperationSpec | undefined {
  /** For all models, or for this one. */
  const fits = ({ serves }: OperationSpec) => !serves || serves(model, headers, request);
  const inFormat = (name: string) => specs.find((spec) => spec.format === name && fits(spec));
  return (
    specs.find((spec) => spec.firstFor?.(model, request) && fits(spec)) ??
    inFormat(format) ??
    (dialectOf === undefined ? undefined : inFormat(dialectOf)) ??
    (preferred === undefined ? undefined : inFormat(preferred)) ??
    specs.find(fits)
  );
}
