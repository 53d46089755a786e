import { parseBody } from "./parse-body.ts";
import { type Peek, valueAt } from "./peek.ts";

/** The value of a key that was looked for; undefined where it is not there. Throws `invalid_json` where it is none. */
export function peekedValue(bytes: Buffer, peeked: Peek | undefined, key: string): unknown {
  const range = peeked?.ranges.get(key);
  try {
    return range && valueAt(bytes, range);
  } catch {
    // What stands inside values was not judged: a real parse tells what is wrong, and where.
    return parseBody(bytes);
  }
}
