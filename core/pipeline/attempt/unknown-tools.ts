import type { Format } from "../../model/format.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";
import type { RequestOf } from "../../model/operations.ts";
import type { WireRequest } from "../request/wire-request.ts";

/**
 * Whether a request in the vendor's format has tools, or says something of tools, that the vendor does not know
 * (`OperationSpec.functionsOnly`). It is parsed only where its bytes may say so: a property of a function may have such a name as well.
 */
export function hasUnknownTools(request: WireRequest, client: Format, { functionsOnly }: OperationSpec): boolean {
  const { asFunctions } = client;
  if (!functionsOnly || !asFunctions) return false;
  const { bytes } = request;
  if (!bytes)
    return asFunctions.isNeeded(client.encodeRequest(request.body as RequestOf<Format["operation"]>, () => {}));
  return asFunctions.marks.some((mark) => bytes.includes(mark)) && asFunctions.isNeeded(request.json);
}
