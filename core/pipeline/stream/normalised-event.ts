import { readJson, writeJson } from "../../codec-kit/exact-json.ts";
import { isDone } from "../../codec-kit/streams/stream-end.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { WireEvent } from "../../model/framing.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";
import type { Target } from "../../model/route.ts";
import { upstreamTooDeep } from "../request/nesting.ts";
import type { Road } from "../road.ts";

/** What a vendor does differently in the frames of a stream. */
type FrameSpec = Pick<OperationSpec, "normaliseFrame" | "lastFrame">;

/** What is done about the frames of a stream before they are decoded. */
export type FrameFix = (event: WireEvent) => WireEvent;

/**
 * The vendor's frame fix; what is not a JSON object is left to the decoder. Undefined where there is none. A frame it fails
 * with stays as it came, as an error in a shape of its own may be; the log is told of the first one.
 */
export function frameFix(
  { log }: Pick<Road, "log">,
  { id }: Pick<Exchange, "id">,
  { provider }: Target,
  { normaliseFrame, lastFrame }: FrameSpec,
): FrameFix | undefined {
  if (!normaliseFrame && !lastFrame) return undefined;
  const last = lastFrame && { data: JSON.stringify(lastFrame) };
  let told = false;
  const failed = (error: unknown) => {
    if (!told) log.error("a frame could not be normalised", { request: id, provider: provider.slug, error });
    told = true;
  };
  return (event) => {
    if (last && isDone(event)) return last;
    return normaliseFrame ? normalised(event, normaliseFrame, failed) : event;
  };
}

/** What the vendor's function refuses on purpose is not a failure of its own. */
function normalised(
  event: WireEvent,
  fix: NonNullable<FrameSpec["normaliseFrame"]>,
  failed: (error: unknown) => void,
): WireEvent {
  const wire = objectIn(event.data);
  if (!wire) return event;
  try {
    return { ...event, data: writeJson(fix(wire)) };
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const fault = frameFault(event, error);
    if (fault instanceof GatewayError) throw fault;
    failed(error);
    return event;
  }
}

/** What looks like a failure of the gateway may be the fault of the frame. */
export const frameFault = ({ data }: WireEvent, cause: unknown): unknown =>
  cause instanceof GatewayError && !cause.row.exception ? cause : (upstreamTooDeep(Buffer.from(data), cause) ?? cause);

function objectIn(data: string): Record<string, unknown> | undefined {
  if (!data.startsWith("{")) return undefined;
  try {
    return readJson(data) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
