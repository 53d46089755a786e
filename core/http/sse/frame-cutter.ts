import { GatewayError } from "../../errors/gateway-error.ts";
import { carriageReturn, lineFeed, unmarked } from "../../json-bytes.ts";

/** Bytes as they arrive in, bytes that end at a frame border out. Never splits a frame, so never a character either. */
export interface FrameCutter {
  /** The part of what was pushed so far that consists of whole frames; undefined when there is none yet. */
  push(bytes: Buffer): Buffer | undefined;
  /** What is left when the stream ends: an unfinished frame, or a last frame without its blank line. */
  rest(): Buffer | undefined;
}

/** How the borders of a framing are found. */
export interface Borders {
  /** The end of the last whole frame in some bytes: an offset, or -1. */
  last(bytes: Buffer): number;
  /**
   * Whether a frame of which these pieces are held, and which had no end in them, may end in these bytes. A long frame comes in many pieces:
   * putting it together for each of them would take time that grows with the square of its length.
   */
  mayBeIn(bytes: Buffer, held: readonly Buffer[], heldBytes: number): boolean;
}

/** A cutter for any framing. */
export function cutter(borders: Borders, maxFrameBytes: number): FrameCutter {
  let held: Buffer[] = [];
  let heldBytes = 0;
  const hold = (kept: Buffer[], length: number) => {
    if (length > maxFrameBytes)
      throw new GatewayError("upstream_too_large", `A stream frame is larger than ${maxFrameBytes} bytes.`);
    held = kept;
    heldBytes = length;
  };
  return {
    push(bytes) {
      if (bytes.length === 0) return undefined;
      if (heldBytes > 0 && !borders.mayBeIn(bytes, held, heldBytes)) {
        append(held, bytes);
        hold(held, heldBytes + bytes.length);
        return undefined;
      }
      const all = heldBytes === 0 ? bytes : Buffer.concat([...held, bytes], heldBytes + bytes.length);
      const end = borders.last(all);
      if (end === all.length) {
        held = [];
        heldBytes = 0;
        return all;
      }
      const kept = end < 0 ? all : all.subarray(end);
      hold([kept], kept.length);
      return end < 0 ? undefined : all.subarray(0, end);
    },
    rest() {
      return heldBytes === 0 ? undefined : Buffer.concat(held, heldBytes);
    },
  };
}

/** Bytes; pieces of so many, or more, stay as they came. */
const small = 64;

/**
 * Adds a piece to those that are held. Small ones become one where they are of a size, so that what is sent byte by byte is
 * no list of millions; each byte is copied a few times at most.
 */
function append(held: Buffer[], bytes: Buffer): void {
  let piece = bytes;
  for (let last = held.at(-1); last && last.length < small && last.length <= piece.length; last = held.at(-1)) {
    held.pop();
    piece = Buffer.concat([last, piece]);
  }
  held.push(piece);
}

/** Cuts server-sent events at blank lines, whichever of `\n`, `\r\n` and `\r` ends the lines. */
export const sseCutter = (maxFrameBytes: number): FrameCutter => withoutMark(cutter(blankLines, maxFrameBytes));

/** Cuts newline-delimited JSON. */
export const lineCutter = (maxFrameBytes: number): FrameCutter => withoutMark(cutter(lines, maxFrameBytes));

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

const lines: Borders = { last: lastLine, mayBeIn: (bytes) => bytes.includes(lineFeed) };

/** A border has three bytes at most: what is held has two of them, or fewer. */
const blankLines: Borders = {
  last: lastBlankLine,
  mayBeIn(bytes, held) {
    if (lastBlankLine(bytes) >= 0) return true;
    const before = Buffer.concat(held.slice(-2).map((piece) => piece.subarray(-2))).subarray(-2);
    return lastBlankLine(Buffer.concat([before, bytes.subarray(0, 2)])) >= 0;
  },
};

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
