import { type FrameSays, isRecord, readEnds, type StreamEnd, type WireEvent } from "../../../core/index.ts";
import { SearchCounter } from "../response/searches.ts";
import { usageOf } from "../response/usage.ts";

/** How a stream that passed through ended: its last frames name a finish reason, or the prompt was blocked. */
export function readStreamEnd(events: readonly WireEvent[]): StreamEnd {
  const searches = new SearchCounter();
  return readEnds(events, (wire, { data }): FrameSays => {
    // An error may come as a list of one, which is no frame.
    if (isRecord(wire.error) || /^\s*\[\s*\{\s*"error"/.test(data))
      return { failed: true, usage: usageOf(wire, searches) };
    const candidates: readonly unknown[] = Array.isArray(wire.candidates) ? wire.candidates : [];
    const blocked = isRecord(wire.promptFeedback) && typeof wire.promptFeedback.blockReason === "string";
    return {
      usage: usageOf(wire, searches),
      choices: blocked && candidates.length === 0 ? [[0, true]] : candidates.map(choiceOf),
    };
  });
}

const choiceOf = (candidate: unknown, at: number): readonly [number, boolean] => {
  const { index, finishReason } = isRecord(candidate) ? candidate : {};
  return [typeof index === "number" ? index : at, typeof finishReason === "string" && finishReason !== ""];
};
