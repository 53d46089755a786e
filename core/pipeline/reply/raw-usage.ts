import { fieldsIn, jsonOr } from "../../codec-kit/records.ts";
import { chargedIn } from "../../codec-kit/usage/charged.ts";
import { formatOfAnswer, modelNamed, type Recognised, recognised } from "../../codec-kit/usage/recognised.ts";
import type { FrameCutter } from "../../http/sse/frame-cutter.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Format } from "../../model/format.ts";
import type { Framing, WireEvent } from "../../model/framing.ts";
import type { Witness } from "../../model/witness.ts";
import { framingRules } from "../stream/framing.ts";
import { remembered, SeenFrames } from "../stream/seen-frames.ts";

/** Bytes of a whole answer, or of one frame of a stream, that are looked into at most: of more, nothing is known. */
const mostBytes = 1024 * 1024;
/** Bytes of the end of a stream that are remembered. */
const rememberedBytes = 256 * 1024;

type Formats = Pick<ReadonlyMap<string, Format>, "values">;

const streams: readonly (readonly [type: string, framing: Framing])[] = [
  ["text/event-stream", "sse"],
  ["application/x-ndjson", "ndjson"],
  ["application/vnd.amazon.eventstream", "aws-event-stream"],
];

/** How the pieces of a stream are told apart, by its content type; undefined where that is none of a stream. */
export const framingOf = (contentType: string): Framing | undefined => {
  const type = contentType.toLowerCase();
  return streams.find(([name]) => type.startsWith(name))?.[1];
};

/**
 * Finds out what a raw call has used, from the bytes of its answer, once the client has them (policies.md section 5.5).
 * `own` is the format the client speaks, where that is known. Undefined where the content type is none that counts.
 */
export function rawUsage(
  attempt: Attempt,
  contentType: string,
  formats: Formats,
  own: Format | undefined,
): Witness | undefined {
  const type = contentType.toLowerCase();
  const learn = ({ usage, model }: Recognised) => {
    if (usage) attempt.usage = usage;
    if (model !== undefined) attempt.model ??= model;
  };
  const framing = framingOf(type);
  if (framing) {
    const marks = [...formats.values()].flatMap(({ usageMark }) => usageMark ?? []);
    return streamWitness(framing, (events) => learn(inEvents(events, formats, own, marks)), mostBytes, marks);
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return undefined;
  const { statesCost } = attempt.target.provider;
  return wholeWitness(mostBytes, (bytes) => {
    const wire = jsonOr(bytes.toString());
    const found = inWhole(wire, formats, own);
    learn(found.usage || !statesCost ? found : { ...found, ...statedIn(wire) });
  });
}

/** Keeps an answer that is not too large, and has it read when it is whole. */
export function wholeWitness(most: number, read: (bytes: Buffer) => void | Promise<void>): Witness {
  let pieces: Buffer[] | undefined = [];
  let length = 0;
  return {
    see(bytes) {
      length += bytes.length;
      if (length > most) pieces = undefined;
      pieces?.push(bytes);
    },
    end: (whole) => (whole && pieces ? read(Buffer.concat(pieces, length)) : undefined),
  };
}

/**
 * Remembers the first frames of a stream and the last ones, and a few with one of the `marks`, and has their events read at the end,
 * however it came. `most` is how many bytes a frame has at most: of a stream with a larger one, nothing is known.
 */
export function streamWitness(
  framing: Framing,
  read: (events: readonly WireEvent[]) => void | Promise<void>,
  most = mostBytes,
  marks: readonly string[] = [],
): Witness {
  const rules = framingRules(framing);
  const cutter: FrameCutter = rules.cutter(most);
  let seen: SeenFrames | undefined = new SeenFrames(
    marks.map((mark) => Buffer.from(mark)),
    rememberedBytes,
  );
  const keep = (frames: Buffer) => {
    if (seen?.begun || rules.events(frames).length > 0) seen?.keep(frames);
  };
  return {
    see(bytes) {
      if (!seen) return;
      try {
        const frames = cutter.push(bytes);
        if (frames) keep(frames);
      } catch {
        // A frame without end: nobody knows what stands in it.
        seen = undefined;
      }
    },
    end() {
      if (!seen) return undefined;
      const rest = framing === "aws-event-stream" ? undefined : cutter.rest();
      if (rest) keep(Buffer.concat([rest, Buffer.from("\n\n")]));
      const { bytes } = seen;
      return bytes && read(rules.events(bytes));
    },
  };
}

function inWhole(wire: unknown, formats: Formats, own: Format | undefined): Recognised {
  // Some vendors stream one JSON list.
  if (Array.isArray(wire)) return inEvents(wire.slice(-remembered).map(asEvent), formats, own);
  const found = recognised(wire, formats.values());
  const usage = found.usage ?? own?.readUsage(wire);
  return usage ? { ...found, usage } : found;
}

/** What nobody here counts (images, rankings) was charged for all the same: vendors whose word counts say how much. */
function statedIn(wire: unknown): Recognised {
  const charged = chargedIn(fieldsIn(fieldsIn(wire).usage));
  return charged ? { usage: { charged } } : {};
}

const asEvent = (item: unknown): WireEvent => ({ data: JSON.stringify(item) });

/** The last events say most, and those with a mark. */
function inEvents(
  [head, ...tail]: readonly WireEvent[],
  formats: Formats,
  own: Format | undefined,
  marks: readonly string[] = [],
): Recognised {
  const marked = tail.slice(0, -remembered * 4).filter(({ data }) => marks.some((mark) => data.includes(mark)));
  const looked = head ? [head, ...marked, ...tail.slice(-remembered * 4)] : [];
  let model: string | undefined;
  let format: Format | undefined;
  for (const { data } of looked) {
    const wire = jsonOr(data);
    model ??= modelNamed(wire);
    format = formatOfAnswer(wire, formats.values()) ?? format;
  }
  const usage = (format ?? own)?.readStreamEnd?.(looked).usage;
  return { ...(usage && { usage }), ...(model !== undefined && { model }) };
}
