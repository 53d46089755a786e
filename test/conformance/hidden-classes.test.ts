import { setFlagsFromString } from "node:v8";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { withMembers } from "../../core/codec-kit/exact-json.ts";
import {
  type ChatRequest,
  chunksOf,
  type EncodeContext,
  type Format,
  GatewayError,
  type WireEvent,
} from "../../core/index.ts";
import { shapeBody } from "../../core/pipeline/request/shape-body.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { arbitraryChatRequest, arbitraryChatResponse } from "../arbitraries/chat.ts";
import { everything } from "./everything.ts";
import { chatFormats } from "./pairs.ts";

/**
 * Objects that are made for every request have their hidden classes in common, made twice of the same: V8 finds fields of
 * what it knows, and makes a class for each object that it does not (core/decisions/0038-named-fields-before-spreads.md).
 */
setFlagsFromString("--allow-natives-syntax");
const shareClass: (one: object, other: object) => boolean = new Function(
  "one",
  "other",
  "return %HaveSameMap(one, other)",
) as never;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Where in two objects that say the same are some of classes of their own, and what fields those have. */
function apart(one: unknown, other: unknown, place: string): string[] {
  if (Array.isArray(one) && Array.isArray(other))
    return one.flatMap((entry, at) => apart(entry, other[at], `${place}[]`));
  if (!isPlain(one) || !isPlain(other)) return [];
  const names = Object.keys(one);
  const here = shareClass(one, other) ? [] : [`${place} {${names}}`];
  return [...here, ...names.flatMap((name) => apart(one[name], other[name], `${place}.${name}`))];
}

const context: EncodeContext = {
  ...{ provider: "acme", model: "acme-1", strict: false, now: 1_786_000_000, id: "0f1e2d", includeUsage: true },
};

const warm = 12;

/** The places in what is made twice, after the first few, which have to find out what is usual. */
function places(what: string, make: () => unknown): string[] {
  for (let round = 0; round < warm; round++) make();
  return apart(make(), make(), what);
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const ignore = () => undefined;

const requests = fc.sample(arbitraryChatRequest, { seed: 1, numRuns: 100 });
const responses = fc.sample(arbitraryChatResponse, { seed: 1, numRuns: 100 });

function ofRequest(format: Format<"chat">, request: ChatRequest): string[] {
  const encoded = () => format.encodeRequest(request, ignore);
  const wire = json(unlessRefused(encoded));
  return [
    ...places("encodeRequest", () => unlessRefused(encoded)),
    ...places("decodeRequest", () => unlessRefused(() => format.decodeRequest(wire))),
  ];
}

/** Not every vendor can be asked for everything. */
function unlessRefused<Made>(make: () => Made): Made | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

/** All that is written as JSON while a stream is encoded, and the stream. */
function written(format: Format<"chat">, response: (typeof responses)[number]) {
  const all: unknown[] = [];
  const stringify = JSON.stringify;
  const spy = vi.spyOn(JSON, "stringify").mockImplementation((...args: Parameters<typeof JSON.stringify>) => {
    all.push(args[0]);
    return stringify(...args);
  });
  try {
    const encoder = format.encodeStream?.(context);
    if (!encoder) throw new Error(`${format.name} does not stream`);
    const pieces = [...chunksOf(response)].map((chunk) => encoder.push(chunk));
    return { all, text: [...pieces, encoder.end()].join("") };
  } finally {
    spy.mockRestore();
  }
}

function read(format: Format<"chat">, events: readonly WireEvent[]): unknown {
  const decoder = format.decodeStream?.();
  return [...events.flatMap((event) => [...(decoder?.push(event) ?? [])]), ...(decoder?.end() ?? [])];
}

function ofResponse(format: Format<"chat">, response: (typeof responses)[number]): string[] {
  const wire = json(format.encodeResponse(response, context));
  const { encoding, events } = framingRules(format.framing);
  const frames = [...events(Buffer.from(written(format, response).text, encoding))];
  return [
    ...places("encodeResponse", () => format.encodeResponse(response, context)),
    ...places("decodeResponse", () => format.decodeResponse(wire)),
    ...places("encodeStream", () => written(format, response).all),
    ...places("decodeStream", () => read(format, frames)),
  ];
}

const counted = (all: readonly string[]) =>
  [...new Set(all)].sort().map((one) => `${all.filter((other) => other === one).length} ${one}`);

describe("what the body of a request is made into has classes in common", () => {
  it.each<[string, (body: object) => object]>([
    ["with members that their URL says", (body) => withMembers(body, { model: "a", stream: false })],
    ["with another model", (body) => withMembers(body, { model: "b" })],
    ["below the overrides of a config", (body) => shapeBody({ ...body }, { overrides: { seed: 1, user: "c" } })],
    ["over the defaults of a config", (body) => shapeBody({ ...body }, { defaults: { seed: 1, user: "c" } })],
  ])("%s", (what, made) => {
    const body = JSON.stringify({ contents: [], tools: [] });
    expect(places(what, () => made(JSON.parse(body)))).toEqual([]);
  });
});

describe.each(chatFormats)("what $name makes", (format) => {
  it("of requests has classes in common", () => {
    const full = chatFormats.map(({ name, decodeRequest }) => decodeRequest(everything[name]));
    expect(counted([...full, ...requests].flatMap((request) => ofRequest(format, request)))).toEqual([]);
  });

  it("of answers has classes in common", () =>
    expect(counted(responses.flatMap((response) => ofResponse(format, response)))).toEqual([]));
});
