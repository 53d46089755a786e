import {
  exceptionEvent,
  type FrameSays,
  isRecord,
  readEnds,
  type StreamEnd,
  type WireEvent,
} from "../../../core/index.ts";
import { decodeUsage } from "../response/usage.ts";

/** How a stream that passed through ended: with `message_start` it says what was read, at its end the rest. */
export const readStreamEnd = (events: readonly WireEvent[]): StreamEnd =>
  readEnds(events, (wire, { event }): FrameSays => {
    switch (typeof wire.type === "string" ? wire.type : event) {
      case "message_start":
        return isRecord(wire.message) ? { usage: decodeUsage(wire.message.usage) } : {};
      case "message_delta": {
        const reason = isRecord(wire.delta) ? wire.delta.stop_reason : undefined;
        const finished = typeof reason === "string" && reason !== "";
        return { usage: decodeUsage(wire.usage), ...(finished && { choices: [[0, true]] }) };
      }
      case "message_stop":
        return { terminated: true };
      case "error":
      // Where a cloud frames the stream, its framing may say so.
      case exceptionEvent:
        return { failed: true };
      default:
        return {};
    }
  });
