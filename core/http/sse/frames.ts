import { carriageReturn, lineFeed } from "../../json-bytes.ts";

/** Finds the offset behind a frame that begins at another one. */
type FrameEnd = (frames: Buffer, from: number) => number;

/** How to find the ends of these frames: the quick way, where all of their lines end with `\n`. */
export const frameEndIn = (frames: Buffer): FrameEnd => (frames.includes(carriageReturn) ? anyBlankLine : blankLine);

/** Frames without those of which nothing is to be left. */
export function framesWithout(frames: Buffer, isLeftOut: (frame: Buffer) => boolean): Buffer {
  const kept: Buffer[] = [];
  const frameEnd = frameEndIn(frames);
  for (let at = 0; at < frames.length; ) {
    const end = frameEnd(frames, at);
    const frame = frames.subarray(at, end);
    if (!isLeftOut(frame)) kept.push(frame);
    at = end;
  }
  return Buffer.concat(kept);
}

/** The offset behind the next blank line. */
function blankLine(frames: Buffer, from: number): number {
  const stop = frames.indexOf("\n\n", from);
  return stop < 0 ? frames.length : stop + 2;
}

/** The same where lines may end with `\r\n` or `\r`. */
function anyBlankLine(frames: Buffer, from: number): number {
  let lineStart = from;
  for (let at = from; at < frames.length; at++) {
    const byte = frames[at];
    if (byte !== lineFeed && byte !== carriageReturn) continue;
    const empty = at === lineStart;
    if (byte === carriageReturn && frames[at + 1] === lineFeed) at++;
    if (empty) return at + 1;
    lineStart = at + 1;
  }
  return frames.length;
}
