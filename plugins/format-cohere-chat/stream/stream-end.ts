import { type FrameSays, isRecord, readEnds, type StreamEnd, type WireEvent } from "../../../core/index.ts";
import { errorIn } from "../errors.ts";
import { decodeUsage } from "../response/usage.ts";

/** How a stream that passed through ended: its last event says all of it. */
export const readStreamEnd = (events: readonly WireEvent[]): StreamEnd =>
  readEnds(events, (wire, event): FrameSays => {
    const type = eventType(wire.type, event);
    const usage = isRecord(wire.delta) ? decodeUsage(wire.delta.usage) : undefined;
    if (errorIn(wire, type)) return { failed: true, usage };
    if (type !== "message-end") return {};
    return { choices: [[0, true]], terminated: true, usage };
  });

/** The type of an event stands inside it; some hosts only name it beside. Empty where there is none. */
export const eventType = (type: unknown, { event }: WireEvent): string =>
  typeof type === "string" ? type : (event ?? "");
