import type { WireEvent } from "../model/format.ts";

/** Applies the vendor's frame fix; what is not a JSON object is left to the decoder. */
export function normalised(
  event: WireEvent,
  fix: (wire: Record<string, unknown>) => Record<string, unknown>,
): WireEvent {
  if (!event.data.startsWith("{")) return event;
  try {
    return { ...event, data: JSON.stringify(fix(JSON.parse(event.data))) };
  } catch {
    return event;
  }
}
