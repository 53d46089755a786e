import { crc32 } from "node:zlib";
import { type Answer, type Format, isJsonText, type OperationName, type WireAnswer } from "../../core/index.ts";
import { isResponse } from "./answer-shape.ts";

/**
 * `sluice-answer 3 <checksum> <what it is>`, a line end, and the answer: the vendor's own bytes where they went on as they
 * came, canonical JSON otherwise. Other versions count as unreadable. The checksum is against accidents; who may write
 * to the store may write answers.
 */
const head = /^sluice-answer 3 ([\da-f]{8}) (\{.*\})\n/;
/** Longer than any head: what an entry is takes a few words. */
const longestHead = 512;

/** The checksum covers the key as well, which ends in a digest: an entry is worth nothing under another one. */
const checksum = (key: string, ofKind: number, body: Buffer): number =>
  crc32(body, (ofKind ^ Number.parseInt(key.slice(-8), 16)) >>> 0);

/** What stands in for an operation, and for a format, where nobody here reads what is asked and answered. */
export const raw = "raw";

export type Kind = OperationName | typeof raw;

/** The first line of entries of a kind, and where in it the checksum goes. */
interface Kept {
  readonly status: number;
  readonly operation: Kind;
  readonly format: string | undefined;
  readonly lacks: typeof usage | undefined;
  readonly line: Buffer;
  readonly sum: number;
}

const lineOf = (sum: string, kind: string): string => `sluice-answer 3 ${sum} ${kind}\n`;
const sumAt = lineOf("", "").indexOf("  ") + 1;

/** What a stream that nobody asked for it does not say (`stream_options.include_usage`): a whole answer would have. */
const usage = "usage";

/** Those that were made, of which there are a few. */
const kinds: Kept[] = [];

function kindOf(status: number, operation: Kind, format: string | undefined, lacks: Kept["lacks"]): Kept {
  for (let at = kinds.length - 1; at >= 0; at--) {
    const known = kinds[at] as Kept;
    if (known.status === status && known.operation === operation && known.format === format && known.lacks === lacks)
      return known;
  }
  const kind = JSON.stringify({ status, operation, format, lacks });
  const made = {
    status,
    operation,
    format,
    lacks,
    line: Buffer.from(lineOf("00000000", kind), "latin1"),
    sum: crc32(kind),
  };
  kinds.push(made);
  return made;
}

/** An answer as it is kept; `unasked` is a stream without usage whose vendor was not asked for any. */
export function entryOf(key: string, operation: Kind, answer: Answer, unasked = false): Buffer {
  const { status, wire } = answer;
  const { line, sum } = kindOf(status, operation, wire?.format, unasked ? usage : undefined);
  const body = wire ? wire.bytes : Buffer.from(JSON.stringify(answer.response));
  const entry = Buffer.allocUnsafe(line.length + body.length);
  line.copy(entry);
  writeHex(entry, sumAt, checksum(key, sum, body));
  body.copy(entry, line.length);
  return entry;
}

const hexDigits = Buffer.from("0123456789abcdef");

function writeHex(bytes: Buffer, at: number, value: number): void {
  for (let digit = 0; digit < 8; digit++) bytes[at + digit] = hexDigits[(value >>> (28 - 4 * digit)) & 15] as number;
}

type Formats = Pick<ReadonlyMap<string, Format>, "get">;

/** Stands for a kept answer that is a good one, but not for a client that is to be told the usage. */
export const lacking = Symbol("lacks the usage");

/**
 * The answer kept under a key; undefined when what is there is not whole, of another version, or not an answer. `tells`
 * says whether the client is to be told the usage.
 */
export function answerIn(
  key: string,
  operation: Kind,
  entry: Buffer,
  formats: Formats,
  tells: () => boolean = () => false,
): Answer | typeof lacking | undefined {
  const found = head.exec(entry.toString("latin1", 0, longestHead));
  const [line = "", sum = "", kind = ""] = found ?? [];
  const body = entry.subarray(line.length);
  if (!found || Number.parseInt(sum, 16) !== checksum(key, crc32(kind), body)) return undefined;
  try {
    const { status, operation: of, format, lacks } = JSON.parse(kind) as Partial<Record<string, unknown>>;
    if (of !== operation || !isSuccess(status)) return undefined;
    if (lacks === usage && tells()) return lacking;
    const wire = typeof format === "string" ? { format, bytes: body } : undefined;
    if (operation === raw) return wire && isJson(body) ? { kind: "answer", status, wire } : undefined;
    const response = responseIn(body, wire, formats);
    if (!isResponse(operation, response)) return undefined;
    return wire ? { kind: "answer", status, response, wire } : { kind: "answer", status, response };
  } catch {
    return undefined;
  }
}

/** Reading it is also what shows that it is whole and can be read. */
function responseIn(body: Buffer, wire: WireAnswer | undefined, formats: Formats): unknown {
  const json: unknown = JSON.parse(body.toString());
  return wire ? formats.get(wire.format)?.decodeResponse(json) : json;
}

/** Whether bytes are what they say they are. */
export const isJson = (bytes: Buffer): boolean => isJsonText(bytes.toString());

/** The status of a vendor's answer that no check has found fault with. */
export const isSuccess = (status: unknown): status is number =>
  typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 299 && status !== foundFaulty;

/** An answer that was let through although a check failed. */
const foundFaulty = 246;
