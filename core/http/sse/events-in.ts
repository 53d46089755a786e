import type { WireEvent } from "../../model/framing.ts";
import { eventsOf } from "./events.ts";
import { sseCutter } from "./frame-cutter.ts";

/** The events of a body of server-sent events, as they arrive. Throws where the body breaks off, or a frame is longer than that. */
export async function* eventsIn(body: AsyncIterable<Buffer>, maxFrameBytes: number): AsyncGenerator<WireEvent> {
  const frames = sseCutter(maxFrameBytes);
  for await (const bytes of body) {
    const whole = frames.push(bytes);
    if (whole) yield* eventsOf(whole.toString());
  }
  const rest = frames.rest();
  if (rest) yield* eventsOf(rest.toString());
}
