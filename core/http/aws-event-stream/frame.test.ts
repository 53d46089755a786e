import { EventStreamCodec } from "@smithy/eventstream-codec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { framingRules, written } from "../../pipeline/stream/framing.ts";
import { eventFrame, exceptionFrame, frameEventsOf } from "./events.ts";
import { headersBytes, readFrames, writeFrame } from "./frame.ts";

/** The frames of providers.md appendix A.5. */
const stopHex =
  "0000007a00000051ca2c46650b3a6576656e742d7479706507000b6d65737361676553746f700d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b2273746f70526561736f6e223a22656e645f7475726e227d5fbf09fc";
const deltaHex =
  "0000009400000057b4ab9aee0b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a224869227d7d1f944657";
const stop = Buffer.from(stopHex, "hex");
const delta = Buffer.from(deltaHex, "hex");
const stopEvent = { event: "messageStop", data: '{"stopReason":"end_turn"}' };
const deltaEvent = { event: "contentBlockDelta", data: '{"contentBlockIndex":0,"delta":{"text":"Hi"}}' };

const rules = framingRules("aws-event-stream");

function read(pieces: readonly Buffer[], limit = 1_000_000) {
  const cutter = rules.cutter(limit);
  const events = pieces.flatMap((piece) => {
    const whole = cutter.push(piece);
    return whole ? rules.events(whole) : [];
  });
  return { events, rest: cutter.rest()?.length ?? 0 };
}

const frame = (headers: Readonly<Record<string, string>>, payload = "") =>
  Buffer.from(writeFrame(headersBytes(headers), payload));

const binary = (text: string) => Buffer.from(text, "latin1");

describe("aws event streams", () => {
  it("are read as the vectors say", () => {
    expect(read([delta, stop])).toEqual({ events: [deltaEvent, stopEvent], rest: 0 });
  });

  it("are written as the vectors say", () => {
    expect(binary(eventFrame(stopEvent.event, stopEvent.data)).toString("hex")).toBe(stopHex);
    expect(binary(eventFrame(deltaEvent.event, deltaEvent.data)).toString("hex")).toBe(deltaHex);
  });

  it("are read the same wherever the network splits them", () => {
    const bytes = Buffer.concat([delta, stop, delta]);
    for (let at = 1; at < bytes.length; at++) {
      const { events, rest } = read([bytes.subarray(0, at), bytes.subarray(at)]);
      expect({ events, rest }).toEqual({ events: [deltaEvent, stopEvent, deltaEvent], rest: 0 });
    }
    expect(read([...bytes].map((byte) => Buffer.from([byte]))).events).toHaveLength(3);
  });

  it("come back as they went, in any language and in any pieces, and are what AWS's own codec reads and writes", () => {
    const codec = new EventStreamCodec(
      (bytes) => Buffer.from(bytes as Uint8Array).toString(),
      (text) => Buffer.from(text),
    );
    const one = fc.record({ event: fc.stringMatching(/^[a-zA-Z]{1,20}$/), text: fc.string({ unit: "grapheme" }) });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(), { maxLength: 12 }), (all, cuts) => {
        const events = all
          .filter(({ event }) => event !== "chunk")
          .map(({ event, text }) => ({ event, data: JSON.stringify({ text }) }));
        const frames = events.map(({ event, data }) => binary(eventFrame(event, data)));
        const bytes = Buffer.concat(frames);
        const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((left, right) => left - right);
        const pieces = [0, ...places].map((from, at) => bytes.subarray(from, places[at] ?? bytes.length));
        expect(read(pieces).events).toEqual(events);
        for (const [at, frame] of frames.entries()) {
          const { headers, body } = codec.decode(frame);
          expect(headers[":event-type"]?.value).toBe(events[at]?.event);
          expect(Buffer.from(body).toString()).toBe(events[at]?.data);
          expect(Buffer.from(codec.encode({ headers, body }))).toEqual(frame);
        }
      }),
    );
  });

  it("are written at any length", () => {
    for (const length of [1, 5_000, 16_384, 100_000]) {
      const data = JSON.stringify({ text: "ü€".repeat(length) });
      expect(read([binary(eventFrame("long", data))]).events).toEqual([{ event: "long", data }]);
    }
  });

  it("show exceptions and errors as events with a type", () => {
    const error = frame({ ":message-type": "error", ":error-code": "Busy", ":error-message": "later" });
    const bare = frame({ ":message-type": "exception", ":exception-type": "odd" }, "no json");
    expect(
      read([binary(exceptionFrame("throttlingException", '{"message":"slow"}')), error, bare]).events.map(
        ({ event, data }) => [event, JSON.parse(data)],
      ),
    ).toEqual([
      ["exception", { __type: "throttlingException", message: "slow" }],
      ["exception", { __type: "Busy", message: "later" }],
      ["exception", { __type: "odd", message: "no json" }],
    ]);
  });

  it("unwrap the stream of a model", () => {
    const payload = { bytes: "eyJvdXRwdXRUZXh0IjoiSGkiLCJpbmRleCI6MH0=" };
    expect(frameEventsOf(binary(eventFrame("chunk", JSON.stringify(payload))))).toEqual([
      { data: '{"outputText":"Hi","index":0}' },
    ]);
    expect(frameEventsOf(binary(eventFrame("chunk", "{}")))).toEqual([{ data: "{}" }]);
  });

  it("may have headers of every type", () => {
    const codec = new EventStreamCodec(
      (bytes) => Buffer.from(bytes as Uint8Array).toString(),
      (text) => Buffer.from(text),
    );
    const frame = codec.encode({
      headers: {
        yes: { type: "boolean", value: true },
        byte: { type: "byte", value: 1 },
        short: { type: "short", value: 2 },
        integer: { type: "integer", value: 3 },
        binary: { type: "binary", value: new Uint8Array([1, 2, 3]) },
        time: { type: "timestamp", value: new Date(0) },
        id: { type: "uuid", value: "6f1c2d3e-0000-4000-8000-000000000000" },
        ":event-type": { type: "string", value: "x" },
      },
      body: Buffer.from("{}"),
    });
    expect(readFrames(Buffer.from(frame))).toEqual([{ headers: { ":event-type": "x" }, payload: Buffer.from("{}") }]);
  });
});

describe("a damaged event stream is refused", () => {
  const spoilt = (at: number) => {
    const bytes = Buffer.from(delta);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes;
  };

  it("whichever byte of a message is wrong", () => {
    for (let at = 0; at < delta.length; at++)
      expect(() => read([stop, spoilt(at)])).toThrowError(expect.objectContaining({ code: "upstream_invalid" }));
  });

  it("as soon as its prelude shows it", () => {
    expect(() => read([spoilt(0).subarray(0, 12)])).toThrowError(expect.objectContaining({ code: "upstream_invalid" }));
  });

  it.each([
    ["shorter than a message can be", 15, 0],
    ["larger than a message may be", 0x7f_ff_ff_ff, 0],
    ["with more headers than there is room for", 32, 17],
  ])("%s", async (_, length, headers) => {
    const { crc32 } = await import("node:zlib");
    const prelude = Buffer.alloc(12);
    prelude.writeUInt32BE(length, 0);
    prelude.writeUInt32BE(headers, 4);
    prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
    expect(() => read([prelude])).toThrowError(expect.objectContaining({ code: "upstream_invalid" }));
  });

  it("whose headers say what cannot be", () => {
    const good = frame({ a: "b" }).toString("latin1");
    for (const bad of [
      good.replace("\x07", "\x0b"),
      good.replace("\x00\x01b", "\x00\x09b"),
      good.replace("\x01a", "\x7fa"),
    ])
      expect(() => readFrames(binary(bad))).toThrowError(expect.objectContaining({ code: "upstream_invalid" }));
  });

  it("and one message larger than the limit is too large", () => {
    expect(() => read([delta.subarray(0, 100)], 50)).toThrowError(
      expect.objectContaining({ code: "upstream_too_large" }),
    );
  });
});

it("what encoders write becomes bytes as the framing says", () => {
  expect(written(eventFrame(stopEvent.event, stopEvent.data), rules)).toEqual(stop);
  expect(written("ü", framingRules("sse"))).toBe("ü");
});
