import type { GatewayError } from "../errors/gateway-error.ts";
import type { OperationName, RequestOf } from "./operations.ts";

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
  /** The same bytes, asking for `model`; undefined where they cannot be made to. */
  readonly ownBytes?: Buffer | undefined;
  /** The body as JSON, parsed when first read. */
  readonly json: unknown;
  /** Which fields that has, where it is known without parsing it. */
  readonly keys?: ReadonlySet<string> | undefined;
  /** Of a request that was made of something saved. */
  readonly origin?: RequestOrigin | undefined;
}

/** A request as a tap is given it: once its `operation` is known, so is what its `body` is. */
export type AnyRequest = { readonly [Operation in OperationName]: GatewayRequest<Operation> }[OperationName];

/** What a request that was made of something saved brings along. */
export interface RequestOrigin {
  /** Slug of the stored provider it goes to where no config, no header and no `@slug/` in front of its model says another. */
  readonly provider?: string;
  /** That provider is another workspace's, with an integration the caller's has none of: it is not to be called. */
  readonly elsewhere?: true;
  /** The prompt it was rendered from. */
  readonly prompt?: PromptUse;
  /** Response headers about it, by name without prefix. */
  readonly told?: Readonly<Record<string, string>>;
  /** It could not be made, and this is why: targets that bring no request of their own come to this. */
  readonly refusal?: GatewayError;
}

/** A saved prompt, as it was used: for records and limits. */
export interface PromptUse {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  readonly versionId: string;
  readonly variables: Readonly<Record<string, unknown>>;
}
