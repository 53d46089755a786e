import type { HookName } from "./hooks.ts";
import type { StreamChunk } from "./model/stream.ts";
import { isAnswer } from "./taps.ts";

/** What the taps of a hook may give besides nothing, and how that is known. */
interface Expected {
  readonly what: string;
  fits(value: object): boolean;
}

const chunkTypes: Readonly<Record<StreamChunk["type"], true>> = {
  start: true,
  "text-delta": true,
  "thinking-delta": true,
  "thinking-signature": true,
  "tool-call-start": true,
  "tool-call-delta": true,
  "refusal-delta": true,
  part: true,
  finish: true,
  moderation: true,
  usage: true,
  error: true,
};
const known: ReadonlySet<unknown> = new Set(Object.keys(chunkTypes));

/** Of another type no format could write anything. */
const isChunk = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "type" in value && known.has(value.type);

/** A status as it can be sent, and with which an exchange is over (RFC 9110, section 15). */
const isStatus = (status: unknown): boolean =>
  Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 999;
const isFinished = (value: object): boolean => isAnswer(value) && isStatus(value.status);

const expected: Readonly<Partial<Record<HookName, Expected>>> = {
  auth: { what: "a principal with an id", fits: (value) => "id" in value && typeof value.id === "string" },
  routeSelect: {
    what: "a route: what a generator function gives when it is called",
    fits: (value) => "next" in value && typeof value.next === "function",
  },
  beforeRequest: {
    what: "the request as it is, what withBody() makes of it, or an Answer with a status",
    // A spread of the request has none of its fields.
    fits: (value) => ("bytes" in value && "format" in value) || isFinished(value),
  },
  streamChunk: { what: "a list of chunks", fits: (value) => Array.isArray(value) && value.every(isChunk) },
  afterRequest: { what: "an Answer with a status", fits: isFinished },
};

/** Hands on what a tap gave. Throws where the road could do nothing with it. */
export function fittingResult(hook: HookName, value: unknown): unknown {
  const expects = expected[hook];
  if (value === undefined || expects === undefined) return value;
  if (typeof value === "object" && value !== null && expects.fits(value)) return value;
  throw new Error(`a tap gave ${shown(value)}; it has to give ${expects.what}`);
}

/** Of what kind a value is: what is in it may be somebody's. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null) return "null";
  return typeof value === "object" ? "another object" : `a ${typeof value}`;
}
