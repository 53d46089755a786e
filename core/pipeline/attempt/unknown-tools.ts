import type { Format } from "../../model/format.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";
import type { WireRequest } from "../request/wire-request.ts";

/**
 * Whether the bytes of a request in the vendor's format have tools, or say something of tools, that the vendor does not know
 * (`OperationSpec.functionsOnly`). They are parsed only where they may say so: a property of a function may have such a name as well.
 * One without bytes is looked at once it is written.
 */
export function hasUnknownTools(
  request: WireRequest,
  { asFunctions }: Format,
  { functionsOnly }: OperationSpec,
): boolean {
  const { bytes } = request;
  if (!functionsOnly || !asFunctions || !bytes) return false;
  return asFunctions.marks.some((mark) => bytes.includes(mark)) && asFunctions.isNeeded(request.json);
}

/** The same of the JSON of a request. */
export const saysUnknownTools = (wire: unknown, { asFunctions }: Format, { functionsOnly }: OperationSpec): boolean =>
  functionsOnly === true && asFunctions?.isNeeded(wire) === true;
