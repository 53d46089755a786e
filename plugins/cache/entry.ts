import { crc32 } from "node:zlib";
import {
  type Answer,
  type Format,
  isJsonText,
  type OperationName,
  readJson,
  type WireAnswer,
  writeJson,
} from "../../core/index.ts";
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
  readonly dropped: string | undefined;
  readonly line: Buffer;
  readonly sum: number;
}

const lineOf = (sum: string, kind: string): string => `sluice-answer 3 ${sum} ${kind}\n`;
const sumAt = lineOf("", "").indexOf("  ") + 1;

/** What a stream that nobody asked for it does not say (`stream_options.include_usage`): a whole answer would have. */
const usage = "usage";

type Described = Omit<Kept, "line" | "sum">;

/** Those that were made and in which nothing was lost, of which there are a few. */
const kinds: Kept[] = [];

function kindOf(described: Described): Kept {
  const { status, operation, format, lacks, dropped } = described;
  if (dropped !== undefined) return made(described);
  for (let at = kinds.length - 1; at >= 0; at--) {
    const known = kinds[at] as Kept;
    if (known.status === status && known.operation === operation && known.format === format && known.lacks === lacks)
      return known;
  }
  const next = made(described);
  kinds.push(next);
  return next;
}

function made(described: Described): Kept {
  const kind = JSON.stringify(described);
  return { ...described, line: Buffer.from(lineOf("00000000", kind), "latin1"), sum: crc32(kind) };
}

/** What is known of an answer besides itself. */
export interface Known {
  /** It is a stream without usage whose vendor was not asked for any. */
  readonly unasked?: boolean;
  /** Names of what its question lost in translation, which are sayable. */
  readonly dropped?: readonly string[];
}

/** A kept answer. */
export interface KeptAnswer extends Answer {
  /** What its question lost in translation: whoever is given it is told. */
  readonly dropped?: readonly string[];
}

/** Whether an entry has room for names of fields, which may be anything the client writes. */
export const isSayable = (dropped: Iterable<string>): boolean => /^[\w.[\]* -]{0,300}$/.test([...dropped].join(" "));

/** An answer as it is kept. */
export function entryOf(
  key: string,
  operation: Kind,
  answer: Answer,
  { unasked = false, dropped = [] }: Known = {},
): Buffer {
  const { status, wire } = answer;
  const lost = dropped.length > 0 ? dropped.join(" ") : undefined;
  const kind = { status, operation, format: wire?.format, lacks: unasked ? usage : undefined, dropped: lost } as const;
  const { line, sum } = kindOf(kind);
  const body = wire ? wire.bytes : Buffer.from(writeJson(answer.response));
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
): KeptAnswer | typeof lacking | undefined {
  const found = head.exec(entry.toString("latin1", 0, longestHead));
  const [line = "", sum = "", kind = ""] = found ?? [];
  const body = entry.subarray(line.length);
  if (!found || Number.parseInt(sum, 16) !== checksum(key, crc32(kind), body)) return undefined;
  try {
    const { status, operation: of, format, lacks, dropped } = JSON.parse(kind) as Partial<Record<string, unknown>>;
    if (of !== operation || !isSuccess(status)) return undefined;
    if (lacks === usage && tells()) return lacking;
    const wire = typeof format === "string" ? { format, bytes: body } : undefined;
    if (operation === raw) return wire && isJson(body) ? { kind: "answer", status, wire } : undefined;
    const response = responseIn(body, wire, formats);
    if (!isResponse(operation, response)) return undefined;
    const kept: KeptAnswer = wire ? { kind: "answer", status, response, wire } : { kind: "answer", status, response };
    return typeof dropped === "string" ? { ...kept, dropped: dropped.split(" ") } : kept;
  } catch {
    return undefined;
  }
}

/** Reading it is also what shows that it is whole and can be read. */
function responseIn(body: Buffer, wire: WireAnswer | undefined, formats: Formats): unknown {
  const json = readJson(body.toString());
  return wire ? formats.get(wire.format)?.decodeResponse(json) : json;
}

/** Whether bytes are what they say they are. */
export const isJson = (bytes: Buffer): boolean => isJsonText(bytes.toString());

/** The status of a vendor's answer that no check has found fault with. */
export const isSuccess = (status: unknown): status is number =>
  typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 299 && status !== foundFaulty;

/** An answer that was let through although a check failed. */
const foundFaulty = 246;
