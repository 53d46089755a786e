import type { Assembler } from "../../codec-kit/streams/assemble.ts";
import { GatewayError, raise } from "../../errors/gateway-error.ts";
import type { Format } from "../../model/format.ts";
import type { WireEvent } from "../../model/framing.ts";
import type { StreamChunk } from "../../model/stream.ts";
import { framingRules } from "./framing.ts";

/** Reads along a stream that goes on as it came. */
export interface StreamListener {
  /** Whole frames, as they go to the client. */
  frames(frames: Buffer): void;
  /** The stream ended in order. */
  end(): void;
  /** What could not be read, or was not finished. Whoever asks has all of it read: until then frames are only kept. */
  readonly malformed: number;
}

/** Bytes that are kept unread: more of them are read while the stream goes on. */
const mostUnread = 256 * 1024;

/** Puts an answer together off its frames. Whatever goes wrong here concerns who wanted it whole, not the client. */
export function streamListener(format: Format, assembler: Assembler): StreamListener {
  const { events } = framingRules(format.framing);
  const decoder = format.decodeStream?.() ?? raise("internal", `The format ${format.name} does not stream.`);
  let malformed = 0;
  let over = false;
  let ended = false;
  let unread: Buffer[] = [];
  let bytes = 0;
  const take = (chunks: () => Iterable<StreamChunk>) => {
    try {
      for (const chunk of chunks()) {
        if (chunk.type === "error") over = true;
        else assembler.add(chunk);
      }
    } catch (error) {
      malformed++;
      over ||= !(error instanceof GatewayError && error.code === "malformed_frame");
    }
  };
  const read = (event: WireEvent) => {
    if (!over) take(() => decoder.push(event));
  };
  const readOn = () => {
    const frames = Buffer.concat(unread, bytes);
    unread = [];
    bytes = 0;
    if (frames.length > 0) for (const event of events(frames)) read(event);
    if (ended && !over) take(() => decoder.end());
    ended = false;
  };
  return {
    frames(frames) {
      if (over) return;
      unread.push(frames);
      bytes += frames.length;
      if (bytes > mostUnread) readOn();
    },
    end() {
      ended = true;
    },
    get malformed() {
      readOn();
      return malformed;
    },
  };
}
