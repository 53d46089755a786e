import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Framing } from "../../model/framing.ts";
import { framingRules } from "../../pipeline/stream/framing.ts";
import { eventFrame } from "../aws-event-stream/events.ts";
import { eventsOf, linesOf } from "./events.ts";
import { lineCutter, sseCutter } from "./frame-cutter.ts";
import { frameGuard } from "./frame-guard.ts";

const limit = 1024 * 1024;

const replay = (bytes: Buffer, cuts: readonly number[]) => {
  const cutter = sseCutter(limit);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    const frames = cutter.push(bytes.subarray(from, to));
    if (frames) pieces.push(frames);
    from = to;
  }
  const rest = cutter.rest();
  return { events: pieces.flatMap((piece) => eventsOf(piece.toString())), rest, pieces };
};

describe.each([
  ["\n", 'data: {"a":"ü€😀"}\n\nevent: x\ndata: 1\ndata: 2\n\n: note\n\ndata:tight\n\n'],
  ["\r\n", 'data: {"a":"ü€😀"}\r\n\r\nevent: x\r\ndata: 1\r\ndata: 2\r\n\r\n: note\r\n\r\ndata:tight\r\n\r\n'],
  ["\r", 'data: {"a":"ü€😀"}\r\revent: x\rdata: 1\rdata: 2\r\r: note\r\rdata:tight\r\r'],
])("server-sent events with lines ending in %j", (_, text) => {
  const bytes = Buffer.from(text);
  const expected = [{ data: '{"a":"ü€😀"}' }, { event: "x", data: "1\n2" }, { data: "tight" }];

  it("reads the same events wherever the network splits the bytes", () => {
    for (let at = 1; at < bytes.length; at++) expect(replay(bytes, [at]).events).toEqual(expected);
  });

  it("reads the same events however often the network splits the bytes", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        expect(
          replay(
            bytes,
            [...cuts].sort((left, right) => left - right),
          ).events,
        ).toEqual(expected);
      }),
    );
  });
});

describe("frames", () => {
  it("forwards whole frames without copying them", () => {
    const bytes = Buffer.from("data: {}\n\n");
    expect(sseCutter(limit).push(bytes)).toBe(bytes);
  });

  it("reads over a byte order mark in front of a stream, wherever the network splits the bytes", () => {
    const bytes = Buffer.from('\ufeffdata: {"a":1}\n\ndata: \ufeff2\n\n');
    for (let at = 0; at < bytes.length; at++)
      expect(replay(bytes, [at]).events).toEqual([{ data: '{"a":1}' }, { data: "\ufeff2" }]);
    expect(replay(Buffer.from("\ufeffdata: 1"), [1]).rest?.toString()).toBe("data: 1");
    expect(linesOf(`${lineCutter(limit).push(Buffer.from('\ufeff{"a":1}\n'))}`)).toEqual([{ data: '{"a":1}' }]);
  });

  it("keeps an unfinished frame back and tells of it at the end", () => {
    const { rest, pieces } = replay(Buffer.from('data: {"a":1}\n\ndata: {"b"'), []);
    expect(Buffer.concat(pieces).toString()).toBe('data: {"a":1}\n\n');
    expect(rest?.toString()).toBe('data: {"b"');
  });

  it.each(['{"error":{"code":503}}', '{\n  "error": {\n    "code": 503\n  }\n}', '[{"error":{"code":503}}]'])(
    "reads an error that stands between frames as bare JSON: %j",
    (error) => {
      expect(eventsOf(`data: {"a":1}\n\n${error}\n\n`)).toEqual([{ data: '{"a":1}' }, { data: error }]);
      expect(eventsOf(error)).toEqual([{ data: error }]);
      expect(eventsOf('{"a":1}\n\n{"error":\n\n')).toEqual([]);
      const kept = frameGuard().check(Buffer.from(`data: {"a":1}\n\n${error}\n\n`));
      expect(kept.toString()).toBe('data: {"a":1}\n\ndata: {"error":{"code":503}}\n\n');
    },
  );

  it("refuses a frame without end", () => {
    const cutter = sseCutter(10);
    expect(() => cutter.push(Buffer.from("data: 0123456789"))).toThrow(/larger than 10 bytes/);
    const inPieces = sseCutter(10);
    inPieces.push(Buffer.from("data: "));
    expect(() => inPieces.push(Buffer.from("56789"))).toThrow(/larger than 10 bytes/);
  });

  it.each<[Framing, Buffer]>([
    ["sse", Buffer.from(`data: "${"x".repeat(100_000)}"\r\n\r\n`)],
    ["ndjson", Buffer.from(`"${"x".repeat(100_000)}"\n`)],
    ["aws-event-stream", Buffer.from(eventFrame("image", `"${"x".repeat(100_000)}"`), "latin1")],
  ])("are put together once, however many pieces a long one comes in: %s", (framing, frame) => {
    const { cutter } = framingRules(framing);
    const cut = cutter(limit);
    const copies = vi.spyOn(Buffer, "concat");
    let whole: Buffer | undefined;
    for (let at = 0; at < frame.length; at += 100) whole = cut.push(frame.subarray(at, at + 100));
    const copied = copies.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    copies.mockRestore();
    expect(whole?.equals(frame)).toBe(true);
    expect(copied).toBeLessThan(2 * frame.length);
  });

  it("are no list of their bytes where they come byte by byte", () => {
    const cut = sseCutter(limit);
    for (let sent = 0; sent < 10_000; sent++) cut.push(Buffer.from("x"));
    const together = vi.spyOn(Buffer, "concat");
    expect(cut.rest()?.length).toBe(10_000);
    const [pieces] = together.mock.calls[0] ?? [];
    together.mockRestore();
    expect(pieces?.length).toBeLessThan(200);
  });

  it("end where they do, whatever comes empty between", () => {
    const cut = sseCutter(limit);
    for (const piece of ["data: a", "\n", "", ""]) expect(cut.push(Buffer.from(piece))).toBeUndefined();
    expect(cut.push(Buffer.from("\n"))?.toString()).toBe("data: a\n\n");
  });

  it("cuts newline-delimited JSON at lines", () => {
    const cutter = lineCutter(limit);
    expect(linesOf(`${cutter.push(Buffer.from('{"a":1}\n{"b'))}`)).toEqual([{ data: '{"a":1}' }]);
    expect(linesOf(`${cutter.push(Buffer.from('":2}\n'))}`)).toEqual([{ data: '{"b":2}' }]);
  });
});

describe("the guard of frames that pass through", () => {
  it.each([
    ["an ordinary frame", 'data: {"a":1}\n\n'],
    ["a frame without a space", 'data:{"a":1}\n\n'],
    ["a named frame", 'event: ping\ndata: {"type":"ping"}\n\n'],
    ["the terminator", "data: [DONE]\n\n"],
    ["a comment", ": keep-alive\n\n"],
    ["windows line ends", 'data: {"a":1}\r\n\r\n'],
    ["data over two lines", 'data: {"a":\ndata: 1}\n\n'],
  ])("lets %s through as it is", (_, text) => {
    const bytes = Buffer.from(text);
    const guard = frameGuard();
    expect(guard.check(bytes)).toBe(bytes);
    expect(guard.malformed).toBe(0);
  });

  it("leaves out what is not JSON, counts it, and keeps what stands around it", () => {
    const guard = frameGuard();
    const kept = guard.check(Buffer.from('data: {"a":1}\n\ndata: {"b":\n\ndata: oops\n\ndata: {"c":3}\n\n'));
    expect(kept.toString()).toBe('data: {"a":1}\n\ndata: {"c":3}\n\n');
    expect(guard.malformed).toBe(2);
  });
});
