import { type LogBody, LogError, type LogObject, type LogPhase } from "../services/logs.ts";
import type { KeptObject } from "./backend.ts";

/** Bytes the bodies of an object may have together, and all that is beside them, so that it fits every store with its row. */
const largestObject = 8 * 1024 * 1024;
const largestHead = 4 * 1024 * 1024;

/** Where bodies stand in an object. */
const places = [
  "request",
  "response",
  "finalUntransformedRequest",
  "transformedRequest",
  "originalResponse",
  "variables",
] as const satisfies readonly (keyof LogObject)[];

/** A body in a head: from where to where in the bytes, and 1 when only its beginning is there. */
type Range = readonly [from: number, to: number, truncated?: 1];
type Head = { readonly [Place in (typeof places)[number]]?: Omit<LogPhase, "body"> & { readonly body?: Range } };

/** An object as it is kept. Throws an `invalid` where it is too large. Bodies are not looked into, and one that stands in several places is kept once. */
export function packed(object: LogObject): KeptObject {
  if (!places.some((place) => object[place]?.body)) return { head: fitting(JSON.stringify(object)), pieces: none };
  const pieces: Uint8Array[] = [];
  const ranges = new Map<Uint8Array, Range>();
  let length = 0;
  const rangeOf = ({ bytes, truncated }: LogBody): Range => {
    const known = ranges.get(bytes);
    if (known) return known;
    const [from, to] = [length, length + bytes.length];
    const range: Range = truncated ? [from, to, 1] : [from, to];
    length = to;
    pieces.push(bytes);
    ranges.set(bytes, range);
    return range;
  };
  const head: Record<string, unknown> = { ...object };
  for (const place of places) {
    const phase: LogPhase | undefined = object[place];
    if (phase?.body) head[place] = { ...phase, body: rangeOf(phase.body) };
  }
  if (length > largestObject)
    throw new LogError("invalid", `logs: the bodies of an entry have ${length} bytes of at most ${largestObject}`);
  return { head: fitting(JSON.stringify(head)), pieces };
}

const none: KeptObject["pieces"] = [];

/** A character has three bytes at most, so only long texts are measured. */
function fitting(head: string): string {
  if (head.length <= largestHead / 3) return head;
  const length = Buffer.byteLength(head);
  if (length <= largestHead) return head;
  throw new LogError(
    "invalid",
    `logs: what is beside the bodies of an entry has ${length} bytes of at most ${largestHead}`,
  );
}

export function unpacked(head: string, bytes: Uint8Array): LogObject {
  const object = JSON.parse(head) as Head;
  const phases = places.flatMap((place) => {
    const phase = object[place];
    if (!phase?.body) return [];
    const [from, to, truncated] = phase.body;
    const body: LogBody = { bytes: bytes.subarray(from, to), ...(truncated && { truncated: true }) };
    return [[place, { ...phase, body }]];
  });
  return { ...object, ...Object.fromEntries(phases) } as unknown as LogObject;
}
