import { Readable } from "node:stream";
import { readJson, writeJson } from "../codec-kit/exact-json.ts";
import { refuse } from "../codec-kit/fields/refusal.ts";
import { isRecord } from "../codec-kit/records.ts";
import { errorMessage } from "../errors/error-message.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { lineFeed } from "../json-bytes.ts";
import type { BatchLine, BatchOutcome } from "../model/batch.ts";

type Wire = Readonly<Record<string, unknown>>;

/** A line of JSON. The first is 1; empty lines count and are left out. */
export interface JsonLine {
  readonly number: number;
  readonly wire: Wire;
}

/** Bytes of a line at most: it is held whole. */
const longestLine = 32 * 1024 * 1024;

/** Cuts bytes into lines, holding no more than one of them. */
async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  broken: Broken,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let number = 0;
  let held: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length > longestLine) throw broken(number + 1, `is longer than ${longestLine} bytes`);
    held.push(piece);
  };
  const cut = () => {
    const text = Buffer.concat(held).toString();
    held = [];
    length = 0;
    number++;
    // Some editors mark the beginning of a file.
    return { number, text: (number === 1 ? text.replace(/^\uFEFF/, "") : text).trim() };
  };
  for await (const piece of bytes) {
    let from = 0;
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
      add(piece.subarray(from, at));
      from = at + 1;
      const line = cut();
      if (line.text !== "") yield line;
    }
    if (from < piece.length) add(piece.subarray(from));
  }
  if (length === 0) return;
  const last = cut();
  if (last.text !== "") yield last;
}

type Broken = (line: number, what: string, cause?: unknown) => GatewayError;

const brokenByClient: Broken = (line, what, cause) =>
  new GatewayError("invalid_request", `file: line ${line} ${what}.`, { param: "file" }, { cause });

const brokenByVendor: Broken = (line, what, cause) =>
  new GatewayError("upstream_invalid", `Line ${line} of the vendor's file ${what}.`, {}, { cause });

async function* objectsIn(bytes: AsyncIterable<Buffer>, broken: Broken): AsyncGenerator<JsonLine> {
  for await (const { number, text } of linesOf(bytes, broken)) {
    let wire: unknown;
    try {
      wire = readJson(text);
    } catch (cause) {
      throw broken(number, `is not valid JSON: ${errorMessage(cause)}`, cause);
    }
    if (!isRecord(wire)) throw broken(number, "is not a JSON object");
    yield { number, wire };
  }
}

/** The JSON objects of a file that a client sends. Throws `invalid_request` with the number of a line that is none. */
export const jsonLines = (bytes: AsyncIterable<Buffer>): AsyncGenerator<JsonLine> => objectsIn(bytes, brokenByClient);

/** Those of a file that a vendor wrote. Throws `upstream_invalid` where one is broken: nothing after it can be trusted. */
export const vendorLines = (bytes: AsyncIterable<Buffer>): AsyncGenerator<JsonLine> => objectsIn(bytes, brokenByVendor);

/** Tells in which line of a file something is wrong. */
export function inLine<Value>(number: number, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof GatewayError) || cause.row.status >= 500) throw cause;
    const { param, errors } = cause.details;
    const details = { param: param ? `line ${number}: ${param}` : "file", ...(errors && { errors }) };
    throw new GatewayError(cause.code, `file: line ${number}: ${cause.message}`, details, { cause });
  }
}

/** A line of a batch: `{custom_id, method, url, body}`. Throws `invalid_request` naming the field. */
export function batchLine({ number, wire }: JsonLine): BatchLine {
  return inLine(number, () => {
    const { custom_id: customId, method, url, body } = wire;
    if (typeof customId !== "string" || customId === "")
      return refuse("custom_id", "a string that is not empty", customId);
    if (method !== undefined && method !== "POST") return refuse("method", '"POST"', method);
    if (typeof url !== "string") return refuse("url", "a string such as /v1/chat/completions", url);
    if (!isRecord(body)) return refuse("body", "an object", body);
    return { number, customId, endpoint: url, body };
  });
}

/** Writes objects as lines, a piece at a time. */
export async function* writtenLines(lines: AsyncIterable<Wire>): AsyncGenerator<Buffer> {
  let text = "";
  for await (const line of lines) {
    text += `${writeJson(line)}\n`;
    if (text.length < pieceLength) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}

const pieceLength = 64 * 1024;

/** What became of a line, as clients read it in the output of a batch (inference-api.md section 16.2). */
export function outcomeLine({ customId, response, error, requestId }: BatchOutcome, id: string): Wire {
  return {
    id,
    custom_id: customId,
    response: response ? { status_code: response.status, request_id: requestId ?? null, body: response.body } : null,
    error: error ?? null,
  };
}

/** What a line came to: an answer that cannot be read is the error of its line, and not of the others. */
export function readOutcome(customId: string | null, read: () => Wire, requestId?: string): BatchOutcome {
  const shared = { customId, ...(requestId !== undefined && { requestId }) };
  try {
    return { ...shared, response: { status: 200, body: read() } };
  } catch (cause) {
    // What is the gateway's own fault is no line's.
    if (!(cause instanceof GatewayError) || cause.row.exception) throw cause;
    return { ...shared, error: { code: cause.code, message: cause.message } };
  }
}

/** A stream for a call, which ends in the error of what it is made from. */
export const streamed = (bytes: AsyncIterable<Buffer>): Readable => Readable.from(bytes, { objectMode: false });
