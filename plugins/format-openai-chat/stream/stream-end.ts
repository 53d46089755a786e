import {
  type Fields,
  isDone,
  isRecord,
  readEnds,
  recordsIn,
  type StreamEnd,
  type WireEvent,
} from "../../../core/index.ts";
import { hasRunTools, usageWith } from "../response/usage.ts";

export const isError = (event: WireEvent, frame: Fields): boolean =>
  (frame.error !== undefined && frame.error !== null) ||
  event.event === "error" ||
  frame.object === "error" ||
  failedIn(frame) !== undefined;

/** The choice of a model that failed while it answered. */
export const failedIn = ({ choices }: Fields): Fields | undefined =>
  Array.isArray(choices) ? choices.find((choice) => isRecord(choice) && isRecord(choice.error)) : undefined;

export const isWord = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Where the counts of a frame stand: in it, in an extension of its vendor, or in a choice. */
export function usageIn(frame: Fields): unknown {
  const counted = frame.usage ?? (isRecord(frame.x_groq) ? frame.x_groq.usage : undefined);
  if (counted !== undefined && counted !== null) return counted;
  if (!Array.isArray(frame.choices)) return undefined;
  for (const choice of frame.choices) if (isRecord(choice) && isRecord(choice.usage)) return choice.usage;
  return undefined;
}

/** How a stream that passed through ended. */
export function readStreamEnd(events: readonly WireEvent[]): StreamEnd {
  let ranTools = false;
  return readEnds(events, (frame, event) => {
    ranTools ||= hasRunTools(frame);
    return {
      terminated: isDone(event),
      failed: isError(event, frame),
      choices: recordsIn(frame.choices).map((choice) => [choice.index ?? 0, isWord(choice.finish_reason)]),
      usage: usageWith(usageIn(frame), ranTools, frame),
      serviceTier: frame.service_tier,
    };
  });
}
