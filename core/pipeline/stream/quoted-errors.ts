import type { Format } from "../../model/format.ts";
import { framingRules } from "./framing.ts";

/**
 * Takes the `secrets` that a vendor was called with out of the errors it reports inside a stream that passes through, where it
 * quotes them. Frames that cannot be errors are told by one search, and go on as they came.
 */
export function hidingQuoted(format: Format, secrets: readonly string[]): (frames: Buffer) => Buffer {
  if (secrets.length === 0) return (frames) => frames;
  const { errorMarks, events, withoutQuoted } = framingRules(format.framing);
  const reportsError = (frames: Buffer): boolean =>
    events(frames).some((event) => format.readStreamEnd?.([event]).failed ?? true);
  return (frames) =>
    errorMarks.some((mark) => frames.includes(mark)) && reportsError(frames) ? withoutQuoted(frames, secrets) : frames;
}
