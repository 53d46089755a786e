import { type Exchange, type LogObject, timeOrderedId } from "../../../core/index.ts";
import type { CaptureMode } from "./capture.ts";
import { type AttemptGroup, groupsOf } from "./groups.ts";
import { logObject, type ObjectParts } from "./object.ts";
import { type Row, type RowParts, rowMaker, type Subject, urlOf } from "./row.ts";
import { tracePlace } from "./trace.ts";

/** A record on its way to the store, which does not say yet whose it is. */
export interface Draft {
  readonly row: Row;
  readonly object: LogObject;
  /** Ids; undefined belongs to the installation. */
  readonly organisation: string | undefined;
  readonly workspace: string | undefined;
  /** Bytes of its content. */
  readonly size: number;
}

/**
 * Whether an exchange is one that is recorded: somebody's call of a provider, done or refused. A socket that was carried
 * is not: what happened on it is.
 */
export const isRecorded = (exchange: Exchange): boolean => {
  const { principal, endpoint, attempts, role } = exchange;
  if (principal === undefined || role === "imagined" || isCarried(exchange)) return false;
  return (endpoint.serve ?? endpoint.talk) === undefined || attempts.length > 0;
};

const isCarried = ({ endpoint, role, attempt }: Exchange): boolean =>
  endpoint.socket !== undefined && role !== "turn" && attempt?.outcome?.ok === true;

/** Makes the records of an exchange: one for each target that was tried, the one the client was answered from last. */
export function recordMaker(parts: RowParts & ObjectParts) {
  const rowOf = rowMaker(parts);
  return (exchange: Exchange, mode: CaptureMode): Draft[] => {
    const groups = groupsOf(exchange);
    const place = tracePlace(exchange);
    const subjects: Subject[] = groups.map((group, at) => subjectOf(exchange, group, at === groups.length - 1, place));
    if (groups.length === 0) subjects.push(subjectOf(exchange, undefined, true, place));
    const { organisation, workspace } = exchange.principal ?? {};
    return subjects.map((subject) => {
      const { object, size } = logObject(subject, mode, parts);
      return { row: rowOf(subject), object, organisation, workspace, size };
    });
  };
}

/** The status of a call that was given up, and of a client that did not wait. */
const givenUp = 499;

function subjectOf(
  exchange: Exchange,
  group: AttemptGroup | undefined,
  final: boolean,
  place: Subject["place"],
): Subject {
  const recorded = group?.last.recordedStatus;
  const own = recorded ?? group?.last.outcome?.status ?? givenUp;
  const { ending } = exchange;
  const status = final ? (ending === "client-gone" ? givenUp : (recorded ?? exchange.status ?? own)) : own;
  const success = status >= 200 && status <= 299 && !(final && (ending === "truncated" || ending === "error"));
  return {
    exchange,
    group,
    final,
    id: final ? exchange.id : timeOrderedId(exchange.receivedAt),
    status,
    success,
    place,
    url: urlOf({ exchange, group }),
  };
}
