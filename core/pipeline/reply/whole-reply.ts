import { isRecord, jsonOr } from "../../codec-kit/records.ts";
import type { ErrorDetail } from "../../errors/error-detail.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import { colon, openBrace, skipSpace, unmarked } from "../../json-bytes.ts";
import type { Target } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import type { Prepared } from "../request/prepared.ts";
import type { Road } from "../road.ts";
import { wholeAnswer } from "./answers.ts";
import { collected } from "./collect.ts";
import type { Reply } from "./conversation.ts";
import { earlyError, noAnswer } from "./refusals.ts";
import type { Result } from "./result.ts";

/** An answer in one piece. One that is nothing but an error is one, whatever status it came with. */
export function wholeReply(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
): Promise<Result> {
  return collected(reply, road.settings.upstreamBodyBytes, (received) => {
    const bytes = unmarked(received);
    const lacking = lacksAnswer(prepared, bytes);
    const wire = lacking || beginsWithError(bytes) ? jsonOr(bytes.toString(), undefined) : undefined;
    const detail = errorIn(wire, prepared);
    if (detail) return earlyError(road, exchange, target, prepared, reply, detail);
    if (!lacking) return answered(road, exchange, target, prepared, reply, bytes);
    if (isRecord(wire)) return noAnswer(road, exchange, target, prepared, reply, wire);
    throw new GatewayError(
      "upstream_invalid",
      `${target.provider.name} answered with ${wire === undefined ? "something that is not JSON" : "JSON that is not an object"}.`,
    );
  });
}

/** An answer, or the failure that one tells of, where it cannot be translated (`"status": "failed"` of the Responses API). */
function answered(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
  bytes: Buffer,
): Result | Promise<Result> {
  try {
    return wholeAnswer(road, exchange, target, prepared, reply, bytes);
  } catch (error) {
    const isNone = error instanceof GatewayError && error.code === "upstream_invalid";
    const wire = isNone && prepared.translated ? jsonOr(bytes.toString(), undefined) : undefined;
    const detail = errorIn(wire, prepared);
    if (detail) return earlyError(road, exchange, target, prepared, reply, detail);
    throw error;
  }
}

/** The error that the JSON of an answer tells of, if it does. */
const errorIn = (wire: unknown, { upstream }: Prepared): ErrorDetail | undefined =>
  isRecord(wire) && wire.error ? upstream.decodeError(wire) : undefined;

/** Whether what would pass through is no answer of its format: translating one finds that out by itself. */
function lacksAnswer({ upstream: { answerField }, translated, spec }: Prepared, bytes: Buffer): boolean {
  if (answerField === undefined || translated || spec.normalise) return false;
  if (bytes[skipSpace(bytes, 0)] !== openBrace) return true;
  const key = keyOf(answerField);
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1))
    if (isSomething(bytes, at + key.length)) return false;
  return true;
}

const keys = new Map<string, Buffer>();

/** Looked for as bytes, which are made once for each of the few fields that answers are in. */
function keyOf(field: string): Buffer {
  const key = keys.get(field) ?? Buffer.from(`"${field}"`);
  keys.set(field, key);
  return key;
}

/** Whether what stands behind a key is its value, and not null. */
function isSomething(bytes: Buffer, keyEnd: number): boolean {
  const at = skipSpace(bytes, keyEnd);
  if (bytes[at] !== colon) return false;
  const value = bytes[skipSpace(bytes, at + 1)];
  return value !== undefined && value !== initialOfNull;
}

const initialOfNull = "n".charCodeAt(0);

/** Answers that have an error among other things do not begin with it: most are known by one letter. */
function beginsWithError(bytes: Buffer): boolean {
  let at = 0;
  while (at < enough && notYetAKey.has(bytes[at] ?? 0)) at++;
  return initials.has(bytes[at] ?? 0) && bytes.length < longest && errorFirst.test(bytes.toString("latin1", 0, enough));
}

const notYetAKey: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n{"'));
const initials: ReadonlySet<number> = new Set(Buffer.from("et"));
const errorFirst = /^\s*\{\s*(?:"type"\s*:\s*"error"\s*,\s*)?"error"\s*:\s*[{"]/;
/** Bytes in which an error has begun, and of which there are fewer in any error. */
const enough = 64;
const longest = 1024 * 1024;
