import { type ManagementOperation, z } from "../../core/index.ts";

const any = z.string().optional();

/** What every query may say (control-plane.md section 2.3); that it is the caller's own is checked with the credential. */
const whose = { organisation_id: any };

/** Beside a record of the path: where it is looked for, as slugs may be those of one workspace. */
const where = { workspace_id: any };

/** Lists without pages are one page, whichever is asked for (control-plane.md section 1.3). */
const wholePage = { current_page: any, currentPage: any, page_size: any, pageSize: any };

/**
 * What the query of an operation is checked with. A list takes the names it describes, and no others: a filter that is
 * mistyped, or that there is not, would seem to match everything.
 */
export function queryOf({
  method,
  path,
  query = z.object({}),
}: Pick<ManagementOperation<never, z.ZodType, z.ZodObject>, "method" | "path" | "query">): z.ZodObject {
  if (method !== "GET" || path.endsWith("}")) return query;
  const own = query.shape;
  // Its own names are told first where one is unknown, and are checked as it says.
  return z.strictObject({
    ...own,
    ...whose,
    ...(path.includes("{") && where),
    ...(!("page_size" in own) && wholePage),
    ...own,
  });
}
