import type { OperationName, RequestOf } from "../../model/operations.ts";
import type { GatewayRequest } from "../../model/request.ts";
import type { WireRequest } from "./wire-request.ts";

/**
 * Replaces the canonical body of a request, in a tap on `beforeRequest`. `written` is what its client would have had to write for that,
 * where the answer depends on it (`EncodeContext.asked`): absent, it is what the client wrote.
 */
export function withBody<Operation extends OperationName>(
  request: GatewayRequest<Operation>,
  body: RequestOf<Operation>,
  written?: Readonly<Record<string, unknown>>,
): GatewayRequest<Operation> {
  return (request as unknown as WireRequest).withBody(body, written) as unknown as GatewayRequest<Operation>;
}
