import { type Fields, isRecord, readEnds, type StreamEnd, type WireEvent } from "../../../core/index.ts";
import { usageOf } from "../response/usage.ts";

/** Events that end an answer which was given, and those that end one which was not. */
const given: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete"]);
const failed: ReadonlySet<unknown> = new Set(["response.failed", "response.cancelled", "error"]);

/** Vendors name an event in its line, in its data, or in both. */
export const typeOf = (event: WireEvent, frame: Fields): unknown => frame.type ?? event.event;

export const isGiven = (type: unknown): boolean => given.has(type);
export const isFailure = (type: unknown, frame: Fields): boolean =>
  failed.has(type) || (type === undefined && frame.error !== undefined && frame.error !== null);

/** How a stream that passed through ended: the one event that ends an answer tells it. */
export const readStreamEnd = (events: readonly WireEvent[]): StreamEnd =>
  readEnds(events, (frame, event) => {
    const type = typeOf(event, frame);
    const ends = isGiven(type);
    return {
      ...(ends && { choices: [[0, true]] as const }),
      terminated: ends,
      failed: isFailure(type, frame),
      usage: isRecord(frame.response) ? usageOf(frame.response) : undefined,
    };
  });
