import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatResponse, chunksOf, type EncodeContext, type Format, readJson, writeJson } from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { passThrough, type StreamWork, translation } from "../../core/pipeline/stream/stream-work.ts";
import { arbitraryChatResponse, deepFreeze } from "../arbitraries/chat.ts";
import { assembled } from "./assembled.ts";
import { chatFormats, pairs } from "./pairs.ts";
import { inPieces } from "./pieces.ts";

const vendor: EncodeContext = {
  provider: "acme",
  model: "acme-1",
  strict: false,
  now: 1_786_000_000,
  id: "0f1e2d",
  includeUsage: true,
};
const arbitraryContext: fc.Arbitrary<EncodeContext> = fc
  .record({ strict: fc.boolean(), includeUsage: fc.boolean() })
  .map((asked) => ({ ...vendor, ...asked }));

const json = (value: unknown): unknown => readJson(writeJson(value));

/** What a vendor of this format sends for an answer, in pieces as small as `sizes` says. */
function streamOf(format: Format<"chat">, response: ChatResponse, sizes: Iterable<number>): Buffer {
  const encoder = format.encodeStream?.(vendor);
  if (!encoder) throw new Error(`${format.name} does not stream`);
  let text = "";
  for (const chunk of inPieces(chunksOf(response), sizes)) text += encoder.push(chunk);
  return Buffer.from(text + encoder.end(), framingRules(format.framing).encoding);
}

/** The bytes in pieces, cut at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((left, right) => left - right);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

/** What the client gets for these pieces, and how it ended. */
function run(work: StreamWork, pieces: readonly Buffer[]) {
  const out: (string | Buffer)[] = pieces.map((bytes) => work.push(bytes));
  const { out: last, failure } = work.end();
  const error = failure ?? work.upstreamError;
  const bytes = Buffer.concat([...out, last].map((piece) => Buffer.from(piece)));
  return { bytes, error: error?.message, usage: work.usage, malformed: work.malformed };
}

/** Arguments compared as what they say: a stream keeps the text of the model, some whole answers hold parsed JSON. */
const meant = (response: ChatResponse): unknown => ({
  ...response,
  choices: response.choices.map((choice) => ({
    ...choice,
    content: choice.content.map((part) =>
      part.type === "tool-call" ? { ...part, arguments: writeJson(readJson(part.arguments || "{}")) } : part,
    ),
  })),
});

describe.each(pairs)("an answer of $upstream.name for a client of $client.name", ({ upstream, client }) => {
  it("says the same as a stream as it says whole, however the network cuts the stream", () => {
    fc.assert(
      fc.property(
        arbitraryChatResponse.map(deepFreeze),
        arbitraryContext,
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        (response, context, places, sizes) => {
          const answered = upstream.decodeResponse(json(upstream.encodeResponse(response, vendor)));
          const whole = client.decodeResponse(json(client.encodeResponse(answered, context)));
          const work = translation({ upstream, client, context, maxFrameBytes: 1_000_000 });
          const streamed = run(work, cut(streamOf(upstream, response, sizes), places));
          expect(streamed.error).toBeUndefined();
          expect(meant(assembled(client, streamed.bytes))).toEqual(meant(whole));
          expect(streamed.usage).toEqual(answered.usage);
        },
      ),
      { numRuns: 30 },
    );
  });
});

/** A few streams as vendors sent them, one that ends badly among them. */
const scenarios = /^(text|parallel-tools|thinking|reasoning-content|overloaded|error-mid-stream)\W/;
const recorded = chatFormats.flatMap((upstream) => {
  const folder = new URL(`../../plugins/format-${upstream.name}/fixtures/`, import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("upstream.sse") && scenarios.test(path))
    .map((path) => ({ upstream, name: path, text: readFileSync(new URL(path, folder), "utf8") }));
});

const frames = (text: string) => text.split("\n\n").filter((frame) => frame !== "");
const rejoined = (all: readonly string[]) => all.map((frame) => `${frame}\n\n`).join("");
/** The beginning and the end of one of them: short, because every byte of it is a place to split at. */
const plain = recorded
  .filter(({ name }) => name.startsWith("text"))
  .map((stream) => ({ ...stream, text: rejoined(frames(stream.text).toSpliced(3, frames(stream.text).length - 7)) }));

/** What vendors and proxies on the way have been seen to do to a stream. */
const spoilt: Readonly<Record<string, (text: string) => string>> = {
  "broken frames in it": (text) => rejoined(frames(text).toSpliced(2, 0, 'data: {"broken":', "data: nope")),
  "comments in it": (text) => rejoined([": hello", ...frames(text).flatMap((frame) => [frame, ": still here"])]),
  "no blank line at its end": (text) => text.trimEnd(),
  "one line end at its end": (text) => `${text.trimEnd()}\n`,
  "more blank lines than needed": (text) => `\n\n${frames(text).join("\n\n\n")}\n\n\n\n`,
  "a frame over several lines": (text) => text.replaceAll(/data: \{/g, "data: {\ndata: "),
  "its end missing": (text) => rejoined(frames(text).slice(0, -2)),
  "its last frame torn": (text) => text.trimEnd().slice(0, -9),
};
const lineEnds = ["\n", "\r\n", "\r"];
const streams = [
  ...recorded.map((stream) => ({ ...stream, ends: ["\n"] })),
  ...Object.entries(spoilt).flatMap(([what, spoil]) =>
    plain.map(({ upstream, text }) => ({ upstream, name: `with ${what}`, text: spoil(text), ends: lineEnds })),
  ),
];

// What cannot be read is an error each time, and there are a hundred thousand of them: where they were made is not looked at.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

describe.each(streams)("a stream of $upstream.name, $name,", ({ upstream, text, ends }) => {
  // Frames are cut before anything is translated: every byte is tried where they pass through as they were recorded, and of the others as
  // many places as do not fall on the same ones of each frame.
  const ways: (readonly [string, () => StreamWork, Format<"chat">, number])[] = [
    ["passed through", () => passThrough(upstream, 1_000_000), upstream, ends.length > 1 ? 3 : 1],
    ...chatFormats.map((client): readonly [string, () => StreamWork, Format<"chat">, number] => [
      `translated for ${client.name}`,
      () => translation({ upstream, client, context: vendor, maxFrameBytes: 1_000_000 }),
      client,
      11,
    ]),
  ];
  it.each(ways)("is the same for the client wherever the network splits it, %s", (_, work, __, step) => {
    for (const end of ends) {
      const sent = Buffer.from(text.replaceAll("\n", end));
      const whole = run(work(), [sent]);
      for (let at = 1; at < sent.length; at += step) {
        const split = run(work(), [sent.subarray(0, at), sent.subarray(at)]);
        if (!isDeepStrictEqual(split, whole)) expect({ at, end, ...split }).toEqual({ at, end, ...whole });
      }
    }
  });

  it.each(ways)("is read alike whatever ends its lines, %s", (_, work, { framing }) => {
    const [first, ...others] = lineEnds.map((end) => {
      const { bytes, ...more } = run(work(), [Buffer.from(text.replaceAll("\n", end))]);
      return { events: framingRules(framing).events(bytes), ...more };
    });
    for (const other of others) expect(other).toEqual(first);
  });
});
