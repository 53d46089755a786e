import { cursorOfParts, partsOfCursor } from "../cursor.ts";
import type { CollectionShape, RecordQuery } from "../services/records.ts";
import type { Position, RowPage, RowQuery } from "./backend.ts";
import { checkText, invalid } from "./checks.ts";
import { isScalar, termOf } from "./document.ts";

const mostPerPage = 1000;
const usualPerPage = 100;

type Asked = Pick<RecordQuery<object>, "tenant" | "where">;

/** A query as stores understand it. A tenant that is there but undefined is a mistake, not a question across tenants. */
export function rowQuery(shape: CollectionShape, query: Asked, now: number): RowQuery {
  const { name, indexes } = shape;
  if ("tenant" in query) checkText(name, "tenant", query.tenant);
  const terms = Object.entries(query.where ?? ({} as Record<string, unknown>)).map(([field, wanted]) => {
    if (!indexes.includes(field)) throw invalid(`${name}: "${field}" is not indexed, so that nothing is found by it`);
    const values = Array.isArray(wanted) ? wanted : [wanted];
    return values.map((value: unknown) => {
      if (!isScalar(value))
        throw invalid(`${name}: "${field}" is asked for something that is no text, number or boolean`);
      return termOf(field, value);
    });
  });
  return { ...(query.tenant !== undefined && { tenant: query.tenant }), terms, now };
}

/** One more than a page has, so that it is known whether another one follows. */
export function rowPage(shape: CollectionShape, query: RecordQuery<object>, now: number): RowPage {
  const { limit = usualPerPage, order = "oldest", after, tenant } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > mostPerPage)
    throw invalid(`${shape.name}: limit is ${limit}, but goes from 1 to ${mostPerPage}`);
  if (order !== "oldest" && order !== "newest") throw invalid(`${shape.name}: order is "oldest" or "newest"`);
  return {
    ...rowQuery(shape, query, now),
    newest: order === "newest",
    limit: limit + 1,
    ...(after !== undefined && { after: positionOf(shape.name, after, order, tenant) }),
  };
}

/** Where a page ended. The tenant is left out where the query says it: a cursor is shown to callers. */
export const cursorOf = ({ createdAt, tenant, id }: Position, query: Pick<RecordQuery<object>, "order" | "tenant">) =>
  cursorOfParts([query.order ?? "oldest", createdAt, id, ...(query.tenant === undefined ? [tenant] : [])]);

function positionOf(collection: string, cursor: string, order: string, asked: string | undefined): Position {
  const parts = partsOfCursor(cursor);
  const [way, createdAt, id, tenant = asked] = parts;
  const whole = parts.length === (asked === undefined ? 4 : 3) && way === order && Number.isSafeInteger(createdAt);
  if (whole && typeof createdAt === "number" && typeof id === "string" && typeof tenant === "string") {
    checkText(collection, "after", id);
    checkText(collection, "after", tenant);
    return { createdAt, id, tenant };
  }
  throw invalid(`${collection}: "after" is not the next of a page of this query`);
}
