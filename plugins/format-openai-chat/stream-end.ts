import { parseFrame, type StreamEnd, type Usage, type WireEvent } from "../../core/index.ts";
import { type Fields, isRecord } from "./extra.ts";
import { decodeUsage } from "./usage.ts";

const frameOf = (event: WireEvent): Fields => {
  try {
    return parseFrame(event.data);
  } catch {
    return {};
  }
};

/**
 * How a stream that passed through ended, from its first frame and its last few. Of the choices only those the last
 * frames speak of are known: the answer is complete when each of them has finished, or the terminator came after one.
 */
export function readStreamEnd(events: readonly WireEvent[]): StreamEnd {
  const seen = new Set<unknown>();
  const finished = new Set<unknown>();
  let terminated = false;
  let failed = false;
  let usage: Usage | undefined;
  for (const [at, event] of events.entries()) {
    if (event.data.trim() === "[DONE]") {
      terminated = true;
      continue;
    }
    const frame = frameOf(event);
    if ((frame.error !== undefined && frame.error !== null) || event.event === "error") failed = true;
    let counted: unknown = frame.usage ?? (isRecord(frame.x_groq) ? frame.x_groq.usage : undefined);
    for (const choice of Array.isArray(frame.choices) ? frame.choices : []) {
      if (!isRecord(choice)) continue;
      const index = choice.index ?? 0;
      if (at > 0) seen.add(index);
      if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") finished.add(index);
      counted ??= choice.usage;
    }
    const totals = decodeUsage(counted);
    if (totals) usage = { ...usage, ...totals };
  }
  const complete = finished.size > 0 && (terminated || [...seen].every((index) => finished.has(index)));
  return { finished: complete && !failed, terminated, failed, ...(usage && { usage }) };
}
