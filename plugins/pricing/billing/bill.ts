import {
  type Answer,
  type AssistantPart,
  type Attempt,
  type Cost,
  type Exchange,
  type Format,
  noCost,
  totalCost,
  type Usage,
  unknownCost,
} from "../../../core/index.ts";
import type { Pricer } from "./pricer.ts";

type Formats = Pick<ReadonlyMap<string, Format>, "get">;

/**
 * Says what each attempt of an exchange cost, and all together (policies.md section 5.4). What was never called costs
 * nothing; what failed, or was left, costs what it says it used; what answered without saying, or had begun to and broke off,
 * costs nobody knows what.
 */
export function bill(exchange: Exchange, pricer: Pricer, formats: Formats): void {
  const { attempts } = exchange;
  for (const attempt of attempts) {
    attempt.cost ??= costOf(exchange, attempt, pricer);
    const avoided = attempt.call ? undefined : cachedUsage(exchange, attempt, formats);
    if (avoided) attempt.avoided = pricer.priced(exchange, attempt, avoided);
  }
  exchange.cost = attempts.length === 0 ? noCost : totalCost(attempts);
}

/** What one attempt cost, as far as it is known by now. `complete` is whether its answer is whole. */
export function costOf(
  exchange: Exchange,
  attempt: Attempt & { readonly answer?: Answer },
  pricer: Pricer,
  complete = isComplete(exchange, attempt),
): Cost {
  if (!attempt.call && !attempt.batch) return isHit(attempt) ? fromCache : noCost;
  if (operationOf(exchange, attempt) === "count") return noCost;
  const { usage } = attempt;
  const call = asFirst(exchange, attempt);
  if (usage) return pricer.priced(exchange, call, usage);
  if (!(complete || brokeOff(exchange, attempt)) || !isWork(exchange, attempt)) return noCost;
  return pricer.flat(exchange, call) ?? unknownCost;
}

/** Whether an attempt ended with a whole answer: then it used something, whether or not it says so. */
export function isComplete({ attempt: answering, ending }: Exchange, attempt: Attempt): boolean {
  const { outcome, answered } = attempt;
  // What a guardrail denies was answered all the same, also where it had begun to leave.
  if (isDenied(attempt)) return true;
  if (!outcome?.ok) return false;
  return attempt === answering ? ending === "complete" : answered !== undefined;
}

/**
 * Whether a vendor had answered some of it when the answer broke off, for whatever reason but that nobody waited for it any more: it
 * was at work, and asks for money, whether or not it has said how much. What a client has left costs what was said of it by then
 * (policies.md section 5.4).
 */
export function brokeOff({ attempt: answering, ending }: Exchange, attempt: Attempt): boolean {
  const { outcome, firstTokenAt, withheld } = attempt;
  if (withheld ? !hasSaid(withheld) : firstTokenAt === undefined) return false;
  if (outcome?.ok) return attempt === answering && ending === "truncated";
  // A refusal that passes to its last byte, as a stream too, is one all the same, unless something of an answer came before it.
  if (!withheld && attempt === answering && ending === "complete") return false;
  return outcome !== undefined && outcome.code !== "client_gone";
}

/** Whether a guardrail has denied an answer, whatever its client was told. */
export const isDenied = ({ outcome, recordedStatus }: Attempt): boolean =>
  outcome?.status === denied || recordedStatus === denied;

/** Words that say who speaks, and parts that have only been opened, are none that anybody asks money for. */
const hasSaid = ({ choices }: NonNullable<Attempt["withheld"]>): boolean =>
  choices.some((choice) => ("text" in choice ? choice.text !== "" : choice.content.some((part) => !isEmpty(part))));

const isEmpty = (part: AssistantPart): boolean => "text" in part && part.text === "";

/** The status of answers that a guardrail has denied. */
export const denied = 446;

const fromCache: Cost = Object.freeze({ amount: "0", currency: "USD", source: "cache" });

const isHit = ({ told }: Attempt): boolean => told?.["cache-status"]?.endsWith("HIT") === true;

export const operationOf = ({ endpoint, request }: Exchange, { asked, target }: Attempt) =>
  (asked ?? target.request ?? request)?.operation ?? endpoint.operation;

/** Whether a model was put to work. Files, jobs, lists and what tells of work done elsewhere are not paid for by the call. */
const isWork = ({ endpoint, method }: Exchange, attempt: Attempt): boolean =>
  endpoint.procedure === undefined && endpoint.witness === undefined && (attempt.call?.method ?? method) === "POST";

/** A retry is not asked again what it is to do: the first call of its target knows. */
export function asFirst({ attempts }: Exchange, attempt: Attempt): Attempt {
  if (attempt.asked || !attempt.target.retry) return attempt;
  const first = attempts.findLast(
    ({ asked, target, lane }) => asked && target.path === attempt.target.path && lane === attempt.lane,
  );
  return first?.asked ? { ...attempt, asked: first.asked } : attempt;
}

/** What the answer that was kept had used when it was made. */
function cachedUsage({ answer, attempt: answering }: Exchange, attempt: Attempt, formats: Formats): Usage | undefined {
  if (attempt !== answering || !answer || !isHit(attempt)) return undefined;
  const { response, wire } = answer;
  try {
    if (wire) return formats.get(wire.format)?.readUsage(JSON.parse(wire.bytes.toString()));
  } catch {
    return undefined;
  }
  return response && "usage" in response ? response.usage : undefined;
}
