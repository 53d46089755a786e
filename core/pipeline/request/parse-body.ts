import { readJson } from "../../codec-kit/exact-json.ts";
import { errorMessage } from "../../errors/error-message.ts";
import { GatewayError } from "../../errors/gateway-error.ts";

/** The JSON in the bytes of a body. Throws `invalid_json` naming the place. */
export function parseBody(bytes: Buffer | undefined): unknown {
  if (!bytes || bytes.length === 0)
    throw new GatewayError("invalid_json", "The body is empty; a JSON object is expected.");
  try {
    return readJson(bytes.toString());
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new GatewayError("invalid_json", `The body is not valid JSON: ${reason}`, {}, { cause });
  }
}
