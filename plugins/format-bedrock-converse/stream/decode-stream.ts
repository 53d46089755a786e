import {
  exceptionEvent,
  type Fields,
  isRecord,
  parseFrame,
  raise,
  type StreamChunk,
  type StreamDecoder,
  type WireEvent,
} from "../../../core/index.ts";
import { decodeError } from "../errors.ts";
import { decodeEnding } from "../response/ending.ts";
import { usageOf } from "../response/usage.ts";
import { BlockReader } from "./block-reader.ts";

export const decodeStream = (): StreamDecoder => new ConverseDecoder();

/** `messageStart`, blocks (start?, deltas, stop), `messageStop`, `metadata`. There is no terminator. */
class ConverseDecoder implements StreamDecoder {
  readonly #blocks = new BlockReader();
  /** What the last events say, put together as a whole answer says it. */
  #ending: Fields | undefined;
  #started = false;
  #finished = false;
  #failed = false;

  push({ event, data }: WireEvent): readonly StreamChunk[] {
    if (this.#failed || this.#finished) return [];
    const wire = parseFrame(data);
    const chunks: StreamChunk[] = this.#started ? [] : [{ type: "start" }];
    this.#started = true;
    switch (event) {
      case exceptionEvent:
        this.#failed = true;
        return [{ type: "error", error: decodeError(wire) ?? { message: "The upstream reported an error." } }];
      case "contentBlockStart":
        this.#blocks.start(indexOf(wire), isRecord(wire.start) ? wire.start : {}, chunks);
        break;
      case "contentBlockDelta":
        this.#blocks.delta(indexOf(wire), isRecord(wire.delta) ? wire.delta : {}, chunks);
        break;
      case "contentBlockStop":
        this.#blocks.stop(indexOf(wire), chunks);
        break;
      case "messageStop":
        this.#ending = { ...this.#ending, ...wire };
        break;
      case "metadata":
        this.#ending = { ...this.#ending, ...wire };
        if (this.#ending.stopReason !== undefined) this.#finish(chunks);
        // What breaks off has used what it says, too.
        else this.#count(wire, chunks);
        break;
    }
    return chunks;
  }

  get over(): boolean {
    return this.#finished;
  }

  end(): readonly StreamChunk[] {
    if (this.#failed || this.#finished) return [];
    if (this.#ending?.stopReason === undefined)
      raise("upstream_truncated", "The stream ended before the answer was finished.");
    const chunks: StreamChunk[] = [];
    this.#finish(chunks);
    return chunks;
  }

  #finish(chunks: StreamChunk[]): void {
    this.#finished = true;
    this.#blocks.end(chunks);
    const ending = this.#ending ?? {};
    chunks.push({ type: "finish", choice: 0, ...decodeEnding(ending) });
    this.#count(ending, chunks);
  }

  #count(wire: Fields, chunks: StreamChunk[]): void {
    const usage = usageOf(wire);
    if (usage) chunks.push({ type: "usage", usage });
  }
}

const indexOf = ({ contentBlockIndex: index }: Readonly<Fields>): number => (typeof index === "number" ? index : 0);
