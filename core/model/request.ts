import type { OperationName, RequestOf } from "./format.ts";

/**
 * What the client asks for, as taps see it. `body` is decoded when first read; as long as nobody replaces it, the
 * bytes of the client go to an upstream of the same format as they came.
 */
export interface GatewayRequest<Operation extends OperationName = OperationName> {
  /** Undefined on raw calls: there is no canonical body then, and reading `body` throws. */
  readonly operation: Operation | undefined;
  /** The client's wire format; undefined on raw endpoints. */
  readonly format: string | undefined;
  /** The model asked for, without the provider named in front of it. */
  readonly model: string | undefined;
  readonly stream: boolean;
  /** The content type of a form, with its boundary, whose `json` are its fields; undefined where the body is JSON. */
  readonly formType?: string | undefined;
  /** The canonical request. Reading it costs a parse; replacing it (see `withBody`) ends the passing through of bytes. */
  readonly body: RequestOf<Operation>;
  /** The body as received; absent once it was replaced. */
  readonly bytes: Buffer | undefined;
  /** The body as JSON, parsed when first read. */
  readonly json: unknown;
}
