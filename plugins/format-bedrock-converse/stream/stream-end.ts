import { exceptionEvent, type FrameSays, readEnds, type StreamEnd, type WireEvent } from "../../../core/index.ts";
import { usageOf } from "../response/usage.ts";

/** How a stream that passed through ended: with `messageStop`, and after it the counts; or with an exception. */
export const readStreamEnd = (events: readonly WireEvent[]): StreamEnd =>
  readEnds(events, (wire, { event }): FrameSays => {
    switch (event) {
      case exceptionEvent:
        return { failed: true };
      case "messageStop":
        return { choices: [[0, true]] };
      case "metadata":
        return { terminated: true, usage: usageOf(wire) };
      default:
        return {};
    }
  });
