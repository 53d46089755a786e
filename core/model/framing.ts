/**
 * How frames are cut out of the bytes of a stream. A JSON list is written to clients only, frame by frame. An AWS event
 * stream is binary: encoders write it with `eventFrame`, one character per byte.
 */
export type Framing = "sse" | "ndjson" | "json-list" | "aws-event-stream";

/** One frame of a stream: the `event:` and `data:` of server-sent events, a line of NDJSON, type and payload of a message. */
export interface WireEvent {
  readonly event?: string;
  readonly data: string;
}
