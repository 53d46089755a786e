import type { ErrorCode } from "../../errors/error-table.ts";
import { type ErrorDetails, raise } from "../../errors/gateway-error.ts";

/** Something of a request that means nothing to vendors of other formats, and without which it would be another request. */
export interface NativeOnly extends ErrorDetails {
  readonly param: string;
  /** What it is called, where it is not the parameter. */
  readonly what?: string;
  /** What to do instead. */
  readonly remedy: string;
  /** A code that clients of the format act on. */
  readonly code?: ErrorCode;
}

/** Refuses it for a vendor that does not serve `api`, the client's own ("the Messages API"). */
export function refuseNative(api: string, { what, remedy, code = "invalid_request", ...details }: NativeOnly): never {
  const name = what ?? details.param;
  raise(
    code,
    `${name} works only with a provider that serves ${api} itself, and this one does not: ${remedy}.`,
    details,
  );
}
