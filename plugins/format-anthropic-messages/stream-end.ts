import { parseFrame, type StreamEnd, type Usage, type WireEvent } from "../../core/index.ts";
import { isRecord, type Wire } from "./fields.ts";
import { decodeUsage } from "./usage.ts";

/** How a stream ended and what it used, read from its first frame and its last ones. */
export function readStreamEnd(events: readonly WireEvent[]): StreamEnd {
  let finished = false;
  let terminated = false;
  let failed = false;
  let usage: Usage | undefined;
  for (const { event, data } of events) {
    const wire = parsedOrNothing(data);
    if (!wire) continue;
    switch (typeof wire.type === "string" ? wire.type : event) {
      case "message_start":
        if (isRecord(wire.message)) usage = merged(usage, decodeUsage(wire.message.usage));
        break;
      case "message_delta":
        finished ||= isRecord(wire.delta) && typeof wire.delta.stop_reason === "string";
        usage = merged(usage, decodeUsage(wire.usage));
        break;
      case "message_stop":
        terminated = true;
        break;
      case "error":
        failed = true;
        break;
      default:
    }
  }
  return { finished, terminated, failed, ...(usage && { usage }) };
}

/** Later counts replace earlier ones bucket by bucket. */
const merged = (before: Usage | undefined, next: Usage | undefined): Usage | undefined =>
  before || next ? { ...before, ...next } : undefined;

function parsedOrNothing(data: string): Wire | undefined {
  try {
    return parseFrame(data);
  } catch {
    return undefined;
  }
}
