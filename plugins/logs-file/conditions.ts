import type { LogCondition, LogSelection, Value } from "../../core/index.ts";
import { columnValue } from "./tables.ts";

/** A condition with its values. */
export interface Part {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** What rows `r` of a selection have to be. */
export function partsOf({ organisation, from, to, where = [] }: LogSelection): Part[] {
  return [
    { sql: "r.organisation = ?", values: [organisation] },
    ...(from === undefined ? [] : [{ sql: "r.created >= ?", values: [from] }]),
    ...(to === undefined ? [] : [{ sql: "r.created < ?", values: [to] }]),
    ...where.map(partOf),
  ];
}

function partOf(condition: LogCondition): Part {
  if ("any" in condition) return joined(condition.any.map(partOf), " OR ", "0");
  if ("all" in condition) return joined(condition.all.map(partOf), " AND ", "1");
  if ("metadata" in condition) return joined(Object.entries(condition.metadata).map(pair), " AND ", "1");
  if ("feedback" in condition) return bounds(weighted, condition.feedback);
  const column = columnValue(condition.column);
  if (!("in" in condition)) return bounds(column, condition);
  const [only, ...others] = condition.in;
  if (only === undefined) return { sql: "0", values: [] };
  // One value is found by an index, in its order; several are one text, so that lists of any length are the same SQL.
  if (others.length === 0) return { sql: `${column} = ?`, values: [only] };
  return { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(condition.in)] };
}

const weighted =
  "(SELECT avg(f.weighted) FROM feedback f WHERE f.organisation = r.organisation AND f.trace = r.trace_id)";

const pair = ([key, value]: [string, string]): Part => ({
  sql: "EXISTS (SELECT 1 FROM json_each(r.metadata) m WHERE m.key = ? AND m.value = ?)",
  values: [key, value],
});

function bounds(sql: string, { min, max }: { readonly min?: number; readonly max?: number }): Part {
  const parts: Part[] = [
    ...(min === undefined ? [] : [{ sql: `${sql} >= ?`, values: [min] }]),
    ...(max === undefined ? [] : [{ sql: `${sql} <= ?`, values: [max] }]),
  ];
  return joined(parts, " AND ", `${sql} IS NOT NULL`);
}

function joined(parts: readonly Part[], word: string, none: string): Part {
  if (parts.length === 0) return { sql: none, values: [] };
  return { sql: `(${parts.map(({ sql }) => sql).join(word)})`, values: parts.flatMap(({ values }) => values) };
}

export const whereOf = (parts: readonly Part[]): string => parts.map(({ sql }) => sql).join(" AND ");

export const valuesOf = (parts: readonly Part[]): Value[] => parts.flatMap(({ values }) => values);
