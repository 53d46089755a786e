import type { StreamEnd } from "../../model/format.ts";
import type { WireEvent } from "../../model/framing.ts";
import type { Usage } from "../../model/usage.ts";
import type { Fields } from "../records.ts";
import { withTier } from "../usage/tiers.ts";
import { usageSoFar } from "../usage/usage-so-far.ts";
import { parseFrame } from "./frames.ts";

/** What one frame tells about how its stream ends. */
export interface FrameSays {
  /** The choices it speaks of, and whether each has its finish reason by now. */
  readonly choices?: readonly (readonly [choice: unknown, finished: boolean])[];
  /** It is the terminator. */
  readonly terminated?: boolean;
  /** It reports an error of the vendor. */
  readonly failed?: boolean;
  readonly usage?: Usage | undefined;
  /** Where it names the service tier beside its counts, or without any: one that no later frame names otherwise holds. */
  readonly serviceTier?: unknown;
}

/** The frame many formats end a stream with, which is no JSON. */
export const isDone = ({ data }: WireEvent): boolean => data.length < 12 && data.trim() === "[DONE]";

/**
 * How a stream that passed through ended, from its first frame and its last few. Of the choices only those the last
 * frames speak of are known: the answer is complete when each of them has finished, or the terminator came after one.
 * Later counts replace earlier ones bucket by bucket. Frames nobody can parse
 * are shown as empty ones.
 */
export function readEnds(
  events: readonly WireEvent[],
  read: (frame: Fields, event: WireEvent) => FrameSays,
): StreamEnd {
  const seen = new Set<unknown>();
  const finished = new Set<unknown>();
  let terminated = false;
  let failed = false;
  let usage: Usage | undefined;
  let tier: unknown;
  for (const [at, event] of events.entries()) {
    const says = read(frameOf(event), event);
    for (const [choice, isFinished] of says.choices ?? []) {
      if (at > 0) seen.add(choice);
      if (isFinished) finished.add(choice);
    }
    terminated ||= says.terminated === true;
    failed ||= says.failed === true;
    if (says.usage) usage = usageSoFar(usage, says.usage);
    tier = says.serviceTier ?? tier;
  }
  usage = withTier(usage, tier);
  const complete = finished.size > 0 && (terminated || [...seen].every((choice) => finished.has(choice)));
  return { finished: complete && !failed, terminated, failed, ...(usage && { usage }) };
}

function frameOf(event: WireEvent): Fields {
  // What a parser throws costs more than all it parses.
  if (isDone(event)) return {};
  try {
    return parseFrame(event.data);
  } catch {
    return {};
  }
}
