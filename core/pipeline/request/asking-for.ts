import { peeker } from "./peek.ts";
import { peekedValue } from "./peeked-value.ts";

const peekModel = peeker(["model"]);

/**
 * A JSON body that asks for this model, whatever it said before. All else stays as it was written; what is no JSON object stays whole.
 * Throws `invalid_json` where what it said is none.
 */
export function askingFor(bytes: Buffer, model: string): Buffer {
  const peeked = peekModel(bytes);
  if (!peeked) return bytes;
  const value = JSON.stringify(model);
  const range = peeked.ranges.get("model");
  if (range && peekedValue(bytes, peeked, "model") === model) return bytes;
  if (range) return Buffer.concat([bytes.subarray(0, range[0]), Buffer.from(value), bytes.subarray(range[1])]);
  const more = peeked.keys.size > 0 ? "," : "";
  return Buffer.concat([Buffer.from(`{"model":${value}${more}`), bytes.subarray(bytes.indexOf("{") + 1)]);
}
