import { isDone } from "../../codec-kit/streams/stream-end.ts";
import type { WireEvent } from "../../model/format.ts";
import type { OperationSpec } from "../../model/provider.ts";

/** What a vendor does differently in the frames of a stream. */
export type FrameSpec = Pick<OperationSpec, "normaliseFrame" | "lastFrame">;

/** Applies the vendor's frame fix; what is not a JSON object is left to the decoder. Undefined where there is none. */
export function frameFix({ normaliseFrame, lastFrame }: FrameSpec): ((event: WireEvent) => WireEvent) | undefined {
  if (!normaliseFrame && !lastFrame) return undefined;
  const last = lastFrame && { data: JSON.stringify(lastFrame) };
  return (event) => {
    if (last && isDone(event)) return last;
    return normaliseFrame ? normalised(event, normaliseFrame) : event;
  };
}

function normalised(event: WireEvent, fix: NonNullable<FrameSpec["normaliseFrame"]>): WireEvent {
  if (!event.data.startsWith("{")) return event;
  try {
    return { ...event, data: JSON.stringify(fix(JSON.parse(event.data))) };
  } catch {
    return event;
  }
}
