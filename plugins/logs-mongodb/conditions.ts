import type { Collection, Filter } from "mongodb";
import type { LogCondition, LogPosition, LogSelection } from "../../core/index.ts";
import { type KeptFeedback, type KeptRow, pairOf } from "./documents.ts";

type Rows = Filter<KeptRow>;

/** What rows of a selection have to be. Feedback is asked first: which traces have such a mean. */
export async function filterOf(
  { organisation, from, to, where = [] }: LogSelection,
  feedback: Collection<KeptFeedback>,
): Promise<Rows[]> {
  const partOf = async (condition: LogCondition): Promise<Rows> => {
    if ("any" in condition) return any(await Promise.all(condition.any.map(partOf)));
    if ("all" in condition) return all(await Promise.all(condition.all.map(partOf)));
    if ("metadata" in condition)
      return all(Object.entries(condition.metadata).map(([key, value]) => ({ metadata: pairOf(key, value) })));
    if ("feedback" in condition)
      return { "columns.trace_id": { $in: await tracesOf(organisation, condition.feedback, feedback) } };
    const column = `columns.${condition.column}`;
    return { [column]: "in" in condition ? { $in: [...condition.in] } : bounds(condition) } as Rows;
  };
  return [
    { organisation },
    ...(from === undefined ? [] : [{ created: { $gte: new Date(from) } }]),
    ...(to === undefined ? [] : [{ created: { $lt: new Date(to) } }]),
    ...(await Promise.all(where.map(partOf))),
  ];
}

/** Where the next page begins. */
export function beyond({ created, id }: LogPosition, newest: boolean): Rows {
  const past = (value: string | Date) => (newest ? { $lt: value } : { $gt: value });
  const moment = new Date(created);
  return { $or: [{ created: past(moment) }, { created: moment, id: past(id) }] } as Rows;
}

const nothing: Rows = { _id: { $in: [] } };

const any = (parts: readonly Rows[]): Rows => (parts.length === 0 ? nothing : ({ $or: [...parts] } as Rows));

const all = (parts: readonly Rows[]): Rows => (parts.length === 0 ? {} : ({ $and: [...parts] } as Rows));

/** Null is within no bounds. */
const bounds = ({ min, max }: { readonly min?: number; readonly max?: number }) => ({
  $ne: null,
  ...(min !== undefined && { $gte: min }),
  ...(max !== undefined && { $lte: max }),
});

async function tracesOf(
  organisation: string,
  mean: { readonly min?: number; readonly max?: number },
  feedback: Collection<KeptFeedback>,
): Promise<string[]> {
  const found = await feedback
    .aggregate<{ _id: string }>([
      { $match: { organisation } },
      { $group: { _id: "$trace", mean: { $avg: "$weighted" } } },
      { $match: { mean: bounds(mean) } },
    ])
    .toArray();
  return found.map(({ _id }) => _id);
}
