import { cursorOfParts, partsOfCursor } from "../cursor.ts";
import { type LogCondition, LogError, type LogQuery, type LogSelection, logColumns } from "../services/logs.ts";
import type { LogPosition, RowsQuery } from "./backend.ts";

const mostPerPage = 1000;
const usualPerPage = 100;

export const invalid = (message: string): LogError => new LogError("invalid", `logs: ${message}`);

export function checkedSelection(selection: LogSelection): LogSelection & { readonly where: readonly LogCondition[] } {
  const { organisation, from, to, where = [] } = selection;
  if (typeof organisation !== "string" || organisation === "") throw invalid("the organisation is missing");
  for (const moment of [from, to])
    if (moment !== undefined && !Number.isSafeInteger(moment)) throw invalid(`${moment} is no Unix milliseconds`);
  for (const condition of where) checkCondition(condition);
  return { ...selection, where };
}

function checkCondition(condition: LogCondition): void {
  if ("any" in condition) return condition.any.forEach(checkCondition);
  if ("all" in condition) return condition.all.forEach(checkCondition);
  if (!("column" in condition)) return;
  const { column } = condition;
  const type: unknown = Object.hasOwn(logColumns, column) ? logColumns[column] : undefined;
  if (type === undefined) throw invalid(`rows are not found by "${column}"`);
  if (!("in" in condition)) {
    if (type !== "number") throw invalid(`"${column}" has no bounds`);
  } else if (condition.in.some((value) => typeof value !== (type === "text" ? "string" : "number")))
    throw invalid(`"${column}" is asked for something that is no ${type}`);
}

/** One more than a page has, so that it is known whether another one follows. */
export function rowsQuery(query: LogQuery): RowsQuery {
  const { limit = usualPerPage, order = "newest", after, skip = 0 } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > mostPerPage)
    throw invalid(`limit is ${limit}, but goes from 1 to ${mostPerPage}`);
  if (!Number.isSafeInteger(skip) || skip < 0) throw invalid(`skip is ${skip}`);
  const { organisation, from, to, where } = checkedSelection(query);
  return {
    organisation,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    where,
    newest: order === "newest",
    limit: limit + 1,
    skip,
    ...(after !== undefined && { after: positionOf(after, order) }),
  };
}

/** Where a page ended. */
export const cursorOf = ({ created, id }: LogPosition, order: LogQuery["order"] = "newest"): string =>
  cursorOfParts([order, created, id]);

function positionOf(cursor: string, order: string): LogPosition {
  const [way, created, id] = partsOfCursor(cursor);
  if (way === order && typeof created === "number" && Number.isSafeInteger(created) && typeof id === "string")
    return { created, id };
  throw invalid(`"after" is not the next of a page of this query`);
}
