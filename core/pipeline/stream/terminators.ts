import { framesWithout } from "../../http/sse/frames.ts";
import type { Format } from "../../model/format.ts";
import { framingRules } from "./framing.ts";

/**
 * The frames that end the streams of a format, among those that pass through. A vendor may write them in ways of its own:
 * with other line ends, without a space, with comments or further frames behind them.
 */
export class Terminators {
  /** Whether one was taken out. */
  taken = false;
  readonly #format: Format;
  /** What stands in any of them, and hardly anywhere else. */
  readonly #mark: Buffer | undefined;

  constructor(format: Format) {
    this.#format = format;
    const { framing = "sse", terminator } = format;
    // Streams in other framings end with their last frame.
    if (framing !== "sse" || terminator === undefined) return;
    const [event] = framingRules(framing).events(Buffer.from(terminator));
    this.#mark = event && Buffer.from(event.event ?? event.data);
  }

  /** Told without reading the frames. */
  mayBeIn(frames: Buffer): boolean {
    return this.#mark !== undefined && frames.includes(this.#mark);
  }

  /** The frames without those that end a stream. */
  takenFrom(frames: Buffer): Buffer {
    const kept = framesWithout(frames, (frame) => this.#ends(frame));
    this.taken ||= kept.length < frames.length;
    return kept;
  }

  #ends(frame: Buffer): boolean {
    const { framing, readStreamEnd } = this.#format;
    return framingRules(framing)
      .events(frame)
      .some((event) => readStreamEnd?.([event]).terminated);
  }
}
