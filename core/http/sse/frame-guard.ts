import { carriageReturn, closeBrace, colon, lineFeed, openBrace, space } from "../../json-bytes.ts";
import type { WireEvent } from "../../model/framing.ts";
import { bareError, eventsOf } from "./events.ts";
import { frameEndIn } from "./frames.ts";

/**
 * Looks over the frames of a stream that passes through, without parsing those that look right: a frame whose data
 * begins with `{` and ends with `}` goes on as it is. The rest are read, and left out when they are not JSON. Errors that stand there bare
 * become events: readers of events pass over what is none.
 */
export interface FrameGuard {
  /** The bytes to forward, possibly none. */
  check(frames: Buffer): Buffer;
  readonly malformed: number;
}

export function frameGuard(): FrameGuard {
  let malformed = 0;
  return {
    check(frames) {
      if (isPlainFrame(frames)) return frames;
      let kept: Buffer[] | undefined;
      let from = 0;
      const frameEnd = frameEndIn(frames);
      for (let at = 0; at < frames.length; ) {
        const end = frameEnd(frames, at);
        if (!looksRight(frames, at, end)) {
          const text = frames.toString("utf8", at, end);
          const bare = bareError(text);
          const isWrong = bare === undefined && !readsRight(text);
          if (isWrong) malformed++;
          if (isWrong || bare !== undefined) {
            kept ??= [];
            kept.push(frames.subarray(from, at), asEvent(bare));
            from = end;
          }
        }
        at = end;
      }
      return kept ? Buffer.concat([...kept, frames.subarray(from)]) : frames;
    },
    get malformed() {
      return malformed;
    },
  };
}

/** Exactly one frame of one line, `data: {…}`: what nearly all of a stream consists of, told by one search. */
function isPlainFrame(frames: Buffer): boolean {
  const end = frames.length - 2;
  return (
    frames.indexOf(lineFeed) === end &&
    frames[end + 1] === lineFeed &&
    frames[end - 1] === closeBrace &&
    frames[0] === 0x64 &&
    frames[4] === colon &&
    frames[frames[5] === space ? 6 : 5] === openBrace
  );
}

/** `data: {…}` or `event: …` followed by `data: {…}`, judged by four bytes. */
function looksRight(frames: Buffer, from: number, to: number): boolean {
  let last = to - 1;
  while (last > from && (frames[last] === lineFeed || frames[last] === carriageReturn)) last--;
  if (frames[last] !== closeBrace) return false;
  let at = from;
  if (frames[at] === 0x65) {
    const line = frames.indexOf(lineFeed, at);
    if (line < 0 || line >= last) return false;
    at = line + 1;
  }
  if (frames[at] !== 0x64 || frames[at + 4] !== colon) return false;
  const first = frames[at + 5] === space ? at + 6 : at + 5;
  return frames[first] === openBrace && frames.indexOf(lineFeed, first) > last;
}

/** In one line, and without the list around it that Google writes: some clients read no other errors. */
function asEvent(error: string | undefined): Buffer {
  if (error === undefined) return Buffer.alloc(0);
  const wire: unknown = JSON.parse(error);
  return Buffer.from(`data: ${JSON.stringify(Array.isArray(wire) ? wire[0] : wire)}\n\n`);
}

const readsRight = (text: string): boolean => eventsOf(text).every(isReadable);

const isReadable = ({ data }: WireEvent): boolean => {
  if (data === "[DONE]" || data === "") return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
};
