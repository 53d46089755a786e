import { readJson, writeJson } from "../../codec-kit/exact-json.ts";
import { closeBrace, comma, openBrace, space } from "../../json-bytes.ts";
import type { Aside } from "../../model/answer.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Format } from "../../model/format.ts";
import type { Outcome } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { requestOf } from "../request/request-of.ts";
import type { Road } from "../road.ts";
import { isStrictAt } from "../strictness.ts";
import type { Result } from "./result.ts";

const usualSuccess = 200;

/**
 * A result with what taps add to it: another status for a success; members of a JSON body, whatever its status
 * (routing-config.md section 12.2); events around a stream.
 */
export function withAside(road: Road, exchange: ExchangeState, record: Attempt, result: Result): Result {
  const { aside, successStatus } = record;
  const { status } = result.outcome;
  if (successStatus !== undefined && (status === usualSuccess || status === successStatus)) {
    const outcome: Outcome = Object.assign({} as Outcome, result.outcome, { status: successStatus, foregone: true });
    Object.assign(result, { outcome });
  }
  if (!aside) return result;
  if (result.kind === "whole") Object.assign(result, { bytes: besideWhole(road, exchange, aside, result) });
  // What comes after a stream is known at its end only.
  if (result.kind === "stream" && isLenient(exchange, result))
    Object.assign(result, {
      before: eventOf(formatOf(road, exchange), aside.first),
      after: () => eventOf(formatOf(road, exchange), record.aside?.last),
    });
  return result;
}

type Whole = Result & { readonly kind: "whole" };

function besideWhole(road: Road, exchange: ExchangeState, aside: Aside, result: Whole): Buffer {
  const { bytes, headers } = result;
  if (headers["content-encoding"] !== undefined) return bytes;
  const type = String(headers["content-type"] ?? "");
  if (type.startsWith("application/json")) return spliced(bytes, aside.members, aside.written);
  if (!type.startsWith("text/event-stream") || !isLenient(exchange, result)) return bytes;
  const format = formatOf(road, exchange);
  return Buffer.concat([Buffer.from(eventOf(format, aside.first)), bytes, Buffer.from(eventOf(format, aside.last))]);
}

const isLenient = (exchange: ExchangeState, { target }: Result): boolean => !isStrictAt(exchange, target);

const formatOf = ({ formats }: Road, exchange: ExchangeState): Format | undefined =>
  formats.get(requestOf(exchange)?.format ?? exchange.endpoint.format ?? "");

/** An event of nobody's format in a stream; nothing where the format has no form for one. */
function eventOf(format: Format | undefined, members: Readonly<Record<string, unknown>> | undefined): string {
  if (!format?.asides || !members) return "";
  const data = `data: ${JSON.stringify(members)}\n\n`;
  return format.asides === "named" ? `event: ${Object.keys(members)[0]}\n${data}` : data;
}

/** The JSON object with more members at its end. What is none stays as it is. */
export function spliced(bytes: Buffer, members: Aside["members"], written?: Aside["written"]): Buffer {
  // A name may stand once in an object: a vendor that is a gateway itself may have it already.
  for (const name in members) if (bytes.includes(`"${name}"`)) return replaced(bytes, members);
  return appended(bytes, members, written);
}

/** The same of members it does not have. */
export function appended(
  bytes: Buffer,
  members: Aside["members"],
  written: NonNullable<Aside["written"]> = () => JSON.stringify(members),
): Buffer {
  let end = bytes.length - 1;
  while (end > 0 && (bytes[end] ?? 0) <= space) end--;
  const more = written();
  if (bytes[end] !== closeBrace || more === "{}") return bytes;
  let before = end - 1;
  while (before > 0 && (bytes[before] ?? 0) <= space) before--;
  // The brace that opens the members stands where theirs closes, and becomes a comma; of none they take the place.
  const isEmpty = bytes[before] === openBrace;
  const from = isEmpty ? before : end;
  const whole = Buffer.allocUnsafe(from + Buffer.byteLength(more));
  bytes.copy(whole, 0, 0, from);
  whole.write(more, from);
  if (!isEmpty) whole[from] = comma;
  return whole;
}

/** The same, by parsing all of it: members of these names are taken out. */
function replaced(bytes: Buffer, members: Readonly<Record<string, unknown>>): Buffer {
  try {
    return Buffer.from(writeJson(Object.assign(readJson(bytes.toString()) as object, members)));
  } catch {
    return bytes;
  }
}
