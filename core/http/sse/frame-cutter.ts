import { GatewayError } from "../../errors/gateway-error.ts";
import { carriageReturn, lineFeed, unmarked } from "../../json-bytes.ts";

/** Bytes as they arrive in, bytes that end at a frame border out. Never splits a frame, so never a character either. */
export interface FrameCutter {
  /** The part of what was pushed so far that consists of whole frames; undefined when there is none yet. */
  push(bytes: Buffer): Buffer | undefined;
  /** What is left when the stream ends: an unfinished frame, or a last frame without its blank line. */
  rest(): Buffer | undefined;
}

/** A cutter for any framing: `border` finds the end of the last whole frame in some bytes: an offset, or -1. */
export function cutter(border: (bytes: Buffer) => number, maxFrameBytes: number): FrameCutter {
  let held: Buffer[] = [];
  let heldBytes = 0;
  return {
    push(bytes) {
      const all = heldBytes === 0 ? bytes : Buffer.concat([...held, bytes]);
      const end = border(all);
      if (end === all.length) {
        held = [];
        heldBytes = 0;
        return all;
      }
      const kept = end < 0 ? all : all.subarray(end);
      if (kept.length > maxFrameBytes)
        throw new GatewayError("upstream_too_large", `A stream frame is larger than ${maxFrameBytes} bytes.`);
      held = [kept];
      heldBytes = kept.length;
      return end < 0 ? undefined : all.subarray(0, end);
    },
    rest() {
      return heldBytes === 0 ? undefined : Buffer.concat(held);
    },
  };
}

/** Cuts server-sent events at blank lines, whichever of `\n`, `\r\n` and `\r` ends the lines. */
export const sseCutter = (maxFrameBytes: number): FrameCutter => withoutMark(cutter(lastBlankLine, maxFrameBytes));

/** Cuts newline-delimited JSON. */
export const lineCutter = (maxFrameBytes: number): FrameCutter => withoutMark(cutter(lastLine, maxFrameBytes));

/** A byte order mark in front of a stream is no part of its first frame. */
function withoutMark({ push, rest }: FrameCutter): FrameCutter {
  let begun = false;
  const cut = (frames: Buffer | undefined): Buffer | undefined => {
    if (begun || !frames) return frames;
    begun = true;
    return unmarked(frames);
  };
  return { push: (bytes) => cut(push(bytes)), rest: () => cut(rest()) };
}

function lastLine(bytes: Buffer): number {
  const at = bytes.lastIndexOf(lineFeed);
  return at < 0 ? -1 : at + 1;
}

function lastBlankLine(bytes: Buffer): number {
  const { length } = bytes;
  if (length >= 2 && bytes[length - 1] === lineFeed && bytes[length - 2] === lineFeed) return length;
  let best = -1;
  const last = bytes.lastIndexOf("\n\n");
  if (last >= 0) best = last + 2;
  if (bytes.includes(carriageReturn)) {
    const mixed = bytes.lastIndexOf("\n\r\n");
    if (mixed >= 0) best = Math.max(best, mixed + 3);
    // `\r\r`, where the second one is the end of the buffer, may yet become `\r\r\n`: both read as a blank line.
    const old = bytes.lastIndexOf("\r\r");
    if (old >= 0) best = Math.max(best, old + 2);
  }
  return best;
}
