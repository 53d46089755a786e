import { type Fields, isDone, isRecord, readEnds, type StreamEnd, type WireEvent } from "../../core/index.ts";
import { decodeUsage } from "./usage.ts";

export const isError = (event: WireEvent, frame: Fields): boolean =>
  (frame.error !== undefined && frame.error !== null) || event.event === "error";
export const choicesOf = (frame: Fields): Fields[] =>
  Array.isArray(frame.choices) ? frame.choices.filter(isRecord) : [];
export const wordOf = ({ finish_reason: word }: Fields): string => (typeof word === "string" ? word : "");

/** How a stream that passed through ended. */
export const readStreamEnd = (events: readonly WireEvent[]): StreamEnd =>
  readEnds(events, (frame, event) => ({
    terminated: isDone(event),
    failed: isError(event, frame),
    choices: choicesOf(frame).map((choice) => [choice.index ?? 0, wordOf(choice) !== ""]),
    usage: decodeUsage(frame.usage),
    serviceTier: frame.service_tier,
  }));
