import { describe, expect, it } from "vitest";
import { assembled, context, decodedChunks } from "../../core/codec-kit/testing.ts";
import {
  type ChatRequest,
  type ChatResponse,
  type Format,
  type Redactor,
  requestOfBody,
  type StreamChunk,
} from "../../core/index.ts";
import { vendors } from "./leaks/answers/testing.ts";
import { requests } from "./leaks/requests/testing.ts";
import { secret, type Vendor } from "./leaks/testing.ts";
import { windowJudge } from "./stream/judge.ts";
import { Lane } from "./stream/lane.ts";
import { GrowingRedaction } from "./stream/redaction.ts";
import { StreamGuard } from "./stream/stream-guard.ts";
import { textsOfRequest } from "./texts/request-texts.ts";
import { textsOfResponse } from "./texts/response-texts.ts";

const formats = new Map(Object.values(vendors).map(({ format }) => [format.name, format]));
const halves = /zyx|wvu/;

const rows = Object.entries(vendors).flatMap(([name, vendor]) => {
  const { format, answer, stream, places } = vendor as Vendor<unknown>;
  return Object.entries(places).map(([place, said]) => ({
    name,
    place,
    format,
    body: answer(said),
    events: stream(said),
  }));
});

const redactor = (): Redactor => ({
  window: secret.length,
  context: 0,
  find: (text, from = 0) =>
    [...text.matchAll(new RegExp(secret, "g"))]
      .filter(({ index }) => index >= from)
      .map(({ index }) => ({ start: index, end: index + secret.length, kind: "secret" })),
  replacement: () => "*",
});

const redacted = (response: ChatResponse): ChatResponse => {
  const looked = textsOfResponse("chat", response, formats);
  const replaced = looked?.texts.map((text) => (text.includes(secret) ? text.replaceAll(secret, "*") : null)) ?? [];
  return looked?.with(replaced) as ChatResponse;
};

const guardWith = (lane: () => Lane) => new StreamGuard({ makeLane: lane, now: () => 0, formats });
const through = (guard: StreamGuard, chunks: readonly StreamChunk[]) => chunks.flatMap((chunk) => guard.push([chunk]));

/** What clients of each format get, as text. */
const shown = (response: ChatResponse, strict: boolean) =>
  [...formats.values()].map((format) => [
    format.name,
    JSON.stringify(format.encodeResponse(response, { ...context, strict })),
  ]);
const streamed = (chunks: readonly StreamChunk[], strict: boolean) =>
  [...formats.values()].map((format) => {
    const encoder = format.encodeStream?.({ ...context, strict });
    return [format.name, `${chunks.map((chunk) => encoder?.push(chunk)).join("")}${encoder?.end()}`];
  });
const leaks = (texts: readonly (readonly (string | undefined)[])[]) =>
  texts.filter(([, text = ""]) => halves.test(text)).map(([name]) => name);
const decoded = ({ format, events }: (typeof rows)[number]) =>
  decodedChunks(events, (format.decodeStream as NonNullable<Format["decodeStream"]>)());

describe.each(rows)("an answer with a secret in $place of $name", (row) => {
  it("is denied, whole and in streams", () => {
    const looked = textsOfResponse("chat", row.format.decodeResponse(row.body) as ChatResponse, formats);
    expect(looked?.texts.some((text) => text.includes(secret))).toBe(true);
    const guard = guardWith(() => new Lane([windowJudge(secret.length, (text) => !text.includes(secret))], []));
    const out = through(guard, decoded(row));
    expect([guard.denied, leaks(streamed(out, false))]).toEqual([true, []]);
  });

  it("is redacted for clients of every format, whole and in streams", () => {
    const chunks = decoded(row);
    expect(leaks(shown(row.format.decodeResponse(row.body) as ChatResponse, false))).not.toEqual([]);
    expect(leaks(streamed(chunks, false))).not.toEqual([]);
    for (const strict of [true, false]) {
      expect(leaks(shown(redacted(row.format.decodeResponse(row.body) as ChatResponse), strict))).toEqual([]);
      expect(leaks(shown(redacted(assembled(chunks)), strict))).toEqual([]);
      const guard = guardWith(() => new Lane([], [new GrowingRedaction(redactor(), secret.length)]));
      expect(leaks(streamed(through(guard, chunks), strict))).toEqual([]);
    }
  });
});

const asked = Object.entries(requests).flatMap(([name, { format, places }]) =>
  Object.entries(places).map(([place, wire]) => ({ name, place, format, wire })),
);

/** With what stands in it in base64. */
const readable = (json: string) =>
  json +
  [...json.matchAll(/[A-Za-z0-9+/]{12,}=*/g)].map(([one]) => Buffer.from(one, "base64").toString("latin1")).join();
const sent = (body: ChatRequest) =>
  [...formats.values()].flatMap((format) => {
    try {
      return [[format.name, readable(JSON.stringify(format.encodeRequest(body, () => {})))]];
    } catch {
      return [];
    }
  });

describe.each(asked)("a request with a secret in $place of $name", ({ format, wire }) => {
  const request = () => requestOfBody("chat", format.decodeRequest(wire) as ChatRequest);

  it("is denied", () => {
    expect(textsOfRequest(request())?.texts.some((text) => text.includes(secret))).toBe(true);
  });

  it("is redacted for vendors of every format", () => {
    const looked = textsOfRequest(request());
    const replaced = looked?.texts.map((text) => (text.includes(secret) ? text.replaceAll(secret, "*") : null)) ?? [];
    expect(leaks(sent(request().body as ChatRequest))).not.toEqual([]);
    expect(leaks(sent(looked?.with(replaced) as ChatRequest))).toEqual([]);
  });
});
