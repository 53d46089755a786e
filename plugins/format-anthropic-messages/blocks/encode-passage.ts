import { isDeepStrictEqual } from "node:util";
import {
  type ContentPart,
  type Extra,
  type Fields,
  type ImagePart,
  isRecord,
  type TextPart,
} from "../../../core/index.ts";
import { type Report, writtenIn } from "../fields.ts";
import type { Place } from "../read.ts";
import { decodePassage } from "./decode-passage.ts";

/** The block a client wrote, and how many parts it became. */
interface Passage {
  readonly block: Fields;
  readonly length: number;
}

/** The passage that begins here, as long as nobody changed what it says. */
export function passageFrom(parts: readonly ContentPart[], at: number): Passage | undefined {
  const part = parts[at];
  const block = part && part.type !== "opaque" && passageIn(part.extra);
  if (!block) return undefined;
  const before = decodePassage(block, readBefore);
  const length = before?.length ?? 0;
  return isDeepStrictEqual(before, parts.slice(at, at + length)) ? { block, length } : undefined;
}

function passageIn(extra: Extra | undefined): Fields | undefined {
  const { passage } = writtenIn(extra);
  return isRecord(passage) ? passage : undefined;
}

/** There is no mistake in it to be named. */
const readBefore: Place = { path: "", fault: "invalid_request" };

/** What stands in place of a part of a passage that says something else now: nobody can cite it any more. */
export function withoutPassage<Part extends TextPart | ImagePart>(part: Part, report: Report): Part {
  if (!passageIn(part.extra)) return part;
  const { extra, ...plain } = part;
  if (extra?.fields.citations !== undefined) report("messages.citations");
  return plain as Part;
}
