import { GatewayError } from "../../errors/gateway-error.ts";
import { readJson } from "../exact-json.ts";

/** The JSON object of a stream frame. Throws `malformed_frame`: the road skips and counts the frame. */
export function parseFrame(data: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = readJson(data);
  } catch (cause) {
    throw new GatewayError("malformed_frame", "A stream frame is not JSON.", {}, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new GatewayError("malformed_frame", "A stream frame is not a JSON object.");
  return value as Record<string, unknown>;
}
