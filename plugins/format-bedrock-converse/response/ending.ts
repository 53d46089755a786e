import {
  type EncodeContext,
  type Extra,
  type Fields,
  type FinishChunk,
  isRecord,
  leftovers,
  ownFields,
} from "../../../core/index.ts";
import { extraOf, formatName } from "../fields.ts";
import { decodeFinishReason, encodeFinishReason } from "./finish-reason.ts";
import { usageLeftovers } from "./usage.ts";

/** `p` is what the vendor fills its events up with, so that lengths tell nothing. */
const readFields = new Set(["output", "stopReason", "usage", "message", "p"]);

type Ending = Omit<FinishChunk, "type" | "choice">;

/**
 * How an answer ended, from what a whole answer says beside its message, or the last events of a stream say together:
 * `trace`, `metrics`, `additionalModelResponseFields` and what else there is stay with it.
 */
export function decodeEnding(wire: Readonly<Fields>): Ending {
  const { stopReason, usage, additionalModelResponseFields: more } = wire;
  const raw = typeof stopReason === "string" ? stopReason : undefined;
  const counted = usageLeftovers(usage);
  const sequence = isRecord(more) && typeof more.stop_sequence === "string" ? more.stop_sequence : undefined;
  return {
    reason: decodeFinishReason(raw),
    ...(raw !== undefined && { rawReason: raw }),
    ...(sequence !== undefined && { stopSequence: sequence }),
    ...extraOf({ ...leftovers(wire, readFields), ...(counted && { usage: counted }) }),
  };
}

export interface EncodedEnding {
  readonly stopReason: string;
  readonly fields: Readonly<Fields>;
  /** What the vendor said about usage besides its counts. */
  readonly counted: Readonly<Fields> | undefined;
}

interface Ended {
  readonly reason: Ending["reason"];
  readonly rawReason?: string | undefined;
  readonly stopSequence?: string | undefined;
  readonly extra?: Extra | undefined;
}

export function encodeEnding(
  { reason, rawReason, stopSequence, extra }: Ended,
  context: Pick<EncodeContext, "elapsed"> = {},
): EncodedEnding {
  const { usage, ...fields } = ownFields(formatName, extra);
  const told = stopSequence !== undefined && fields.additionalModelResponseFields === undefined;
  // Clients of this format take it for granted that they are told how long it took.
  const took = fields.metrics === undefined ? context.elapsed?.() : undefined;
  return {
    stopReason: encodeFinishReason(reason, rawReason, stopSequence),
    fields: {
      ...fields,
      ...(told && { additionalModelResponseFields: { stop_sequence: stopSequence } }),
      ...(took !== undefined && { metrics: { latencyMs: Math.round(took) } }),
    },
    counted: isRecord(usage) ? usage : undefined,
  };
}
