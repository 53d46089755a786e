import type { ErrorDetail } from "../../errors/error-detail.ts";
import { remembered } from "../../keeping/remembered.ts";
import type { WireEvent } from "../../model/framing.ts";
import { withoutQuoted } from "../../secrets/quoted-secrets.ts";
import { type Frame, headersBytes, readFrames, writeFrame } from "./frame.ts";

/** What an exception in a stream is called among its events: vendors' own events have other names. */
export const exceptionEvent = "exception";

/**
 * The events of whole frames: the event type, and the payload as text. An exception is one named `exception`, whose data
 * holds its type as `__type`, as the bodies of refusals do. Payloads wrapped as `{"bytes": …}`, in which a model's own
 * stream arrives, are unwrapped.
 */
export const frameEventsOf = (frames: Buffer): WireEvent[] => readFrames(frames).map(eventOf);

function eventOf({ headers, payload }: Frame): WireEvent {
  const data = payload.toString();
  switch (headers[":message-type"]) {
    case "exception":
      return { event: exceptionEvent, data: exceptionData(headers[":exception-type"], data) };
    case "error":
      return {
        event: exceptionEvent,
        data: JSON.stringify({ __type: headers[":error-code"], message: headers[":error-message"] ?? "" }),
      };
    default: {
      const event = headers[":event-type"] ?? "";
      return event === "chunk" ? unwrapped(data) : { event, data };
    }
  }
}

function exceptionData(type: string | undefined, data: string): string {
  try {
    const said: unknown = JSON.parse(data);
    if (typeof said === "object" && said !== null) return JSON.stringify({ __type: type, ...said });
  } catch {
    // What it says is text then.
  }
  return JSON.stringify({ __type: type, message: data });
}

/** What an exception says, for streams whose own format knows no exceptions. */
export function exceptionIn({ data }: WireEvent): ErrorDetail {
  const { __type: type, message } = JSON.parse(data) as { __type?: string; message?: unknown };
  return { message: String(message ?? type), ...(type !== undefined && { type }) };
}

/** `{"bytes": "<base64 of an event's JSON>"}`. */
function unwrapped(data: string): WireEvent {
  try {
    const { bytes } = JSON.parse(data) as { bytes?: unknown };
    if (typeof bytes === "string") return { data: Buffer.from(bytes, "base64").toString() };
  } catch {
    // The decoder finds a frame it cannot read.
  }
  return { data };
}

/** Whole frames whose text headers and payloads have none of the `secrets`. */
export const framesWithoutQuoted = (frames: Buffer, secrets: readonly string[]): Buffer =>
  Buffer.concat(
    readFrames(frames).map(({ headers, payload }) => {
      const clean = Object.entries(headers).map(([name, value]) => [name, withoutQuoted(value, secrets)]);
      const frame = writeFrame(headersBytes(Object.fromEntries(clean)), withoutQuoted(payload.toString(), secrets));
      // The next one is written in the same place.
      return Buffer.from(frame);
    }),
  );

const jsonHeader = { ":content-type": "application/json" };

/** The headers of events, by their type, of which a format has a few. */
const headOf = remembered({ most: 100, longest: 64 }, (event) =>
  headersBytes({ ":event-type": event, ...jsonHeader, ":message-type": "event" }),
);

/** An event as a frame, for the encoder of a format: one character per byte. */
export const eventFrame = (event: string, json: string): string => writeFrame(headOf(event), json).toString("latin1");

/** An exception as a frame, likewise. */
export const exceptionFrame = (type: string, json: string): string =>
  writeFrame(headersBytes({ ":exception-type": type, ...jsonHeader, ":message-type": "exception" }), json).toString(
    "latin1",
  );
