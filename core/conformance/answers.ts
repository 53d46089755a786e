import { parseFrame } from "../codec-kit/streams/frames.ts";
import type { Format } from "../model/format.ts";
import type { Framing } from "../model/framing.ts";
import type { OperationName, ResponseOf } from "../model/operations.ts";
import type { Usage } from "../model/usage.ts";
import { framingRules } from "../pipeline/stream/framing.ts";
import type { Subject } from "./cases.ts";
import type { Fixture } from "./fixtures.ts";
import type { Inspected } from "./inspect.ts";
import { same } from "./same.ts";
import { bytesOf, contextOf, framesOf, readStream } from "./speaking.ts";
import type { Trial } from "./trial.ts";

/** A whole answer as the vendor sends it, and what it means. */
export interface WholeAnswer {
  readonly wire: unknown;
  readonly response: ResponseOf<OperationName>;
}

/** A stream likewise. */
export interface StreamAnswer {
  /** Its frames, in order. */
  readonly pieces: readonly Buffer[];
  readonly response: ResponseOf<OperationName>;
  readonly usage: Usage | undefined;
}

/** Thrown where the format's own answers are not the vendor's, and no fixture shows one of those. */
export class NoSample extends Error {}

/** The vendor's answer in one piece: the format's, or where the provider reads another one, that of a fixture. */
export function wholeAnswer(trial: Trial, subject: Subject, inspected: Inspected): WholeAnswer {
  const { kase, model, format, spec } = trial;
  const { normalise } = spec;
  const response = kase.response(subject, model);
  const wire = format.encodeResponse(response, contextOf({ ...inspected, model }));
  const usual = { wire, response: format.decodeResponse(wire) };
  if (!normalise) return usual;
  const read = attempted(() => format.decodeResponse(normalise(wire)));
  const isRead = read !== undefined && same(kase.essence(read), kase.essence(response));
  if (isRead && same(read.usage, usual.response.usage)) return usual;
  const body = sampleFor(trial, subject, false)?.upstreamAnswer.body as Record<string, unknown> | undefined;
  if (body !== undefined) return { wire: body, response: format.decodeResponse(normalise(body)) };
  if (isRead) return usual;
  throw new NoSample(noSample(format, "normalise"));
}

/** The same as a stream. */
export function streamAnswer(trial: Trial, subject: Subject, inspected: Inspected): StreamAnswer {
  const { kase, model, format, spec } = trial;
  const told = inspected.includeUsage || !isAskedForUsage(trial);
  const chunks = (kase.chunks?.(subject, model) ?? []).filter(({ type }) => told || type !== "usage");
  const frames = framesOf(format, chunks, { ...inspected, model });
  const { normaliseFrame } = spec;
  const own = Buffer.from(frames.join(""), framingRules(format.framing).encoding);
  const meant = readStream(format, own);
  const usual = (): StreamAnswer => ({ ...meant, pieces: frames.map((frame) => bytesOf(frame, format, spec)) });
  if (!normaliseFrame) return usual();
  const read = normalised(format, format.framing, own, normaliseFrame);
  const isRead = same(kase.essence(read.response), kase.essence(meant.response));
  if (isRead && same(read.usage, meant.usage)) return usual();
  const bytes = sampleFor(trial, subject, true)?.upstreamAnswer.bytes;
  if (bytes !== undefined) {
    const framing = spec.framing ?? format.framing;
    return { ...normalised(format, framing, bytes, normaliseFrame), pieces: piecesOf(bytes, framing) };
  }
  if (isRead) return usual();
  throw new NoSample(noSample(format, "normaliseFrame"));
}

/** The frames of a fixture, where text says where one ends. */
function piecesOf(bytes: Buffer, framing: Framing | undefined): Buffer[] {
  if (framing === "aws-event-stream") return [bytes];
  const pieces = bytes.toString().split(framing === "ndjson" ? /(?<=\n)/ : /(?<=\n\n)/);
  return pieces.map((piece) => Buffer.from(piece));
}

/** Whether requests of the format say if their stream is to tell its usage. */
export function isAskedForUsage({ kase, format, model }: Trial): boolean {
  const wire = format.encodeRequest(kase.request("plain", model, true), () => undefined);
  return (attempted(() => format.decodeRequest(wire)) as { includeUsage?: boolean } | undefined)?.includeUsage === true;
}

const noSample = ({ name }: Format, field: string): string =>
  `${field} cannot read an answer of ${name}, so the vendor's are other ones: a fixture has to show one`;

/** A fixture of a question like this one: plain, at the path the provider calls. */
function sampleFor({ fixtures, spec, model }: Trial, subject: Subject, stream: boolean): Fixture | undefined {
  if (subject !== "plain") return undefined;
  return fixtures.find(({ upstreamRequest, upstreamAnswer }) => {
    const fields = new Set(Object.keys((upstreamRequest.body ?? {}) as object));
    const named = upstreamRequest.model ?? model;
    const path = typeof spec.path === "string" ? spec.path : spec.path({ model: named, stream, fields });
    const fits = stream ? upstreamAnswer.bytes !== undefined : upstreamAnswer.body !== undefined;
    return fits && upstreamRequest.path === path && (upstreamAnswer.status ?? 200) === 200;
  });
}

/** A stream read as the gateway does: every frame the way the provider says it is to be read. */
function normalised(
  format: Format,
  framing: Framing | undefined,
  bytes: Buffer,
  change: (wire: Record<string, unknown>) => Record<string, unknown>,
): ReturnType<typeof readStream> {
  const events = framingRules(framing).events(bytes);
  const text = events.map(({ event, data }) => {
    const name = event === undefined ? "" : `event: ${event}\n`;
    const frame = attempted(() => JSON.stringify(change(parseFrame(data)))) ?? data;
    return `${name}data: ${frame}\n\n`;
  });
  return readStream({ ...format, framing: "sse" }, Buffer.from(text.join("")));
}

function attempted<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
