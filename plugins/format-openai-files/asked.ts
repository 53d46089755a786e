import { type Asked, type FileQuery, GatewayError, mustBe, type Named, type PageQuery } from "../../core/index.ts";

const place = /^\/v1\/(?:files|batches|fine[_-]tuning\/jobs)\/([^/?]+)/;

/** What the URL names. Vendors' ids may be addresses, with every slash in them escaped. */
export function named({ url }: Pick<Asked, "url">): Named {
  const id = place.exec(url)?.[1] ?? "";
  try {
    return { id: decodeURIComponent(id) };
  } catch {
    return refuseId(id);
  }
}

function refuseId(id: string): never {
  throw new GatewayError("invalid_request", `The id "${id}" in the URL is not escaped as URLs are.`, { param: "id" });
}

const parametersOf = ({ url }: Asked): URLSearchParams => new URL(url, "http://gateway").searchParams;

/** `limit`, `after` and `order` of a list. */
export const pageQuery =
  (most: number) =>
  (asked: Asked): PageQuery => {
    const query = parametersOf(asked);
    const limit = limitOf(query.get("limit"), most);
    const order = query.get("order");
    const after = query.get("after");
    if (order !== null && order !== "asc" && order !== "desc") throw wrong("order", "asc or desc", order);
    return { ...(limit !== undefined && { limit }), ...(after && { after }), ...(order !== null && { order }) };
  };

const filePage = pageQuery(10_000);

export function fileQuery(asked: Asked): FileQuery {
  const purpose = parametersOf(asked).get("purpose");
  return { ...filePage(asked), ...(purpose && { purpose }) };
}

function limitOf(asked: string | null, most: number): number | undefined {
  if (asked === null) return undefined;
  const limit = Number(asked);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw wrong("limit", `a whole number from 1 to ${most}`, asked);
}

const wrong = (param: string, accepted: string, value: unknown) =>
  new GatewayError("invalid_request", `${mustBe(param, accepted, value)}.`, { param });
