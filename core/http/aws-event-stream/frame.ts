import { crc32 } from "node:zlib";
import { GatewayError } from "../../errors/gateway-error.ts";
import { remembered } from "../../keeping/remembered.ts";

/**
 * A frame of an AWS event stream, all numbers big endian (providers.md section 9.5):
 *
 *     total length (4) · length of the headers (4) · CRC-32 of these eight (4) · headers · payload · CRC-32 of all before (4)
 */
export interface Frame {
  /** Headers that hold text, by name: `:event-type`. Those of other types are read over. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

const lengthsBytes = 8;
const preludeBytes = 12;
const crcBytes = 4;
const leastBytes = preludeBytes + crcBytes;
/** No AWS service sends larger messages. */
const mostBytes = 24 * 1024 * 1024;

/**
 * Where the last whole frame in some bytes ends; -1 when there is none. Throws `upstream_invalid` at a frame that is
 * damaged, as soon as that shows: lengths nobody can trust would make everything after them one endless frame.
 */
export function lastFrameEnd(bytes: Buffer): number {
  let at = 0;
  while (bytes.length - at >= preludeBytes) {
    const length = frameLength(bytes, at);
    const end = at + length;
    if (end > bytes.length) break;
    if (crc32(bytes.subarray(at, end - crcBytes)) !== bytes.readUInt32BE(end - crcBytes))
      throw damaged("the checksum of a message is wrong");
    at = end;
  }
  return at === 0 ? -1 : at;
}

/** Whether a frame that begins with what is held ends with this many bytes more. Its prelude was looked at when it came. */
export const mayEndFrame = ({ length }: Buffer, [first]: readonly Buffer[], heldBytes: number): boolean =>
  first === undefined || first.length < preludeBytes || heldBytes + length >= first.readUInt32BE(0);

/** What a prelude says, once its own checksum says it is true. */
function frameLength(bytes: Buffer, at: number): number {
  if (crc32(bytes.subarray(at, at + lengthsBytes)) !== bytes.readUInt32BE(at + lengthsBytes))
    throw damaged("the checksum of a prelude is wrong");
  const length = bytes.readUInt32BE(at);
  const headers = bytes.readUInt32BE(at + 4);
  if (length < leastBytes || length > mostBytes || headers > length - leastBytes)
    throw damaged(`a message of ${length} bytes with ${headers} bytes of headers cannot be`);
  return length;
}

const damaged = (why: string) => new GatewayError("upstream_invalid", `The event stream is damaged: ${why}.`);

/** The frames in bytes that consist of whole ones, as `lastFrameEnd` has found them. */
export function readFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + bytes.readUInt32BE(at);
    const body = at + preludeBytes + bytes.readUInt32BE(at + 4);
    frames.push({
      headers: headersIn(bytes.toString("latin1", at + preludeBytes, body)),
      payload: bytes.subarray(body, end - crcBytes),
    });
    at = end;
  }
  return frames;
}

const textType = 7;
/** Bytes of the values of the other header types: yes, no, the integers; a time; an id. Type 6 has a length of its own. */
const fixedSizes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const bytesType = 6;

/** What headers say, by their bytes as one character each: a stream has a few, again and again. */
const headersIn = remembered({ most: 100, longest: 256 }, (bytes) => readHeaders(Buffer.from(bytes, "latin1")));

function readHeaders(bytes: Buffer): Frame["headers"] {
  const headers: Record<string, string> = {};
  try {
    for (let at = 0; at < bytes.length; ) {
      const nameEnd = at + 1 + bytes.readUInt8(at);
      const name = bytes.toString("utf8", at + 1, nameEnd);
      const type = bytes.readUInt8(nameEnd);
      at = nameEnd + 1;
      if (type === textType || type === bytesType) {
        const end = at + 2 + bytes.readUInt16BE(at);
        if (end > bytes.length) throw damaged("a header is longer than its message");
        if (type === textType) headers[name] = bytes.toString("utf8", at + 2, end);
        at = end;
      } else at += fixedSizes[type] ?? Number.NaN;
      if (Number.isNaN(at)) throw damaged(`a header has the unknown type ${type}`);
    }
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw damaged("its headers cannot be read");
  }
  return headers;
}

/** Text headers as they stand in a frame. */
export const headersBytes = (headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(Object.entries(headers).map(headerBytes));

/** Where frames are put together, and where their first two numbers are in it. */
const desk = Buffer.allocUnsafeSlow(16 * 1024);
const deskLengths = desk.subarray(0, lengthsBytes);

/** A frame with these headers. It is good until the next one is written. */
export function writeFrame(head: Buffer, payload: string): Buffer {
  const most = leastBytes + head.length + 3 * payload.length;
  const room = most > desk.length ? Buffer.allocUnsafe(most) : desk;
  head.copy(room, preludeBytes);
  const from = preludeBytes + head.length;
  const crcAt = from + room.write(payload, from);
  room.writeUInt32BE(crcAt + crcBytes, 0);
  room.writeUInt32BE(head.length, 4);
  room.writeUInt32BE(crc32(room === desk ? deskLengths : room.subarray(0, lengthsBytes)), lengthsBytes);
  room.writeUInt32BE(crc32(room.subarray(0, crcAt)), crcAt);
  return room.subarray(0, crcAt + crcBytes);
}

function headerBytes([name, value]: readonly [string, string]): Buffer {
  const size = Buffer.byteLength(name);
  const length = Buffer.byteLength(value);
  const bytes = Buffer.allocUnsafe(1 + size + 3 + length);
  bytes.writeUInt8(size, 0);
  bytes.write(name, 1);
  bytes.writeUInt8(textType, 1 + size);
  bytes.writeUInt16BE(length, 2 + size);
  bytes.write(value, 4 + size);
  return bytes;
}
