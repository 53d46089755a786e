import { isRecord } from "../../codec-kit/records.ts";
import type { Format } from "../../model/format.ts";
import { askingFor } from "./asking-for.ts";
import { parseBody } from "./parse-body.ts";

/**
 * A JSON body with the model in front that its format finds deeper in it; the same bytes where there is none, or where one
 * stands at the top. All else stays as it was written: nothing is written anew, however deep it is. Throws `invalid_json`.
 */
export function lifted(bytes: Buffer, lift: NonNullable<Format["lift"]>): Buffer {
  const json = parseBody(bytes);
  const model = isRecord(json) && json.model === undefined ? lift(json) : undefined;
  return model === undefined ? bytes : askingFor(bytes, model);
}
