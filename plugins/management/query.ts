import { type ManagementOperation, z } from "../../core/index.ts";

const any = z.string().optional();

/**
 * What every query may say: whose records are meant (control-plane.md section 2.3), which is checked with the credential,
 * and that the answer is for people (inference-api.md section 1).
 */
const common = { organisation_id: any, pretty: any };

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
    ...common,
    ...(path.includes("{") && where),
    ...(!("page_size" in own) && wholePage),
    ...own,
  });
}
