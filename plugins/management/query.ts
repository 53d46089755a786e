import { type ErrorDetails, type ManagementOperation, z } from "../../core/index.ts";
import { checked } from "./checked.ts";

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

/** Names that say whose records are meant: one that is empty is not everybody's. */
const whose: ReadonlySet<string> = new Set(["organisation_id", "workspace_id", "workspaceId", "workspace_slug"]);

type Query = Readonly<Record<string, string>>;

/**
 * What an operation understands of a query. A list takes the names it describes, and no others: a filter that is mistyped,
 * or that there is not, would seem to match everything. What is empty of it is not said, as a form sends what nobody filled
 * in: neither a filter nor a page; but where a text has a least length, that is meant. Throws AB01, naming each name that is
 * wrong.
 */
export function queryReader({
  method,
  path,
  query = z.object({}),
}: Pick<ManagementOperation<never, z.ZodType, z.ZodObject>, "method" | "path" | "query">) {
  if (method !== "GET" || path.endsWith("}"))
    return (said: Query, besides?: Pick<ErrorDetails, "status">) => checked(query, said, "query", besides);
  const own = query.shape;
  // Its own names are told first where one is unknown, and are checked as it says.
  const schema = z.strictObject({
    ...own,
    ...common,
    ...(path.includes("{") && where),
    ...(!("page_size" in own) && wholePage),
    ...own,
  });
  const optional = new Set(
    Object.entries(schema.shape).flatMap(([name, of]) =>
      whose.has(name) || !z.safeParse(of, undefined).success || hasLeastLength(of) ? [] : [name],
    ),
  );
  const filledIn = (said: Query): Query =>
    Object.fromEntries(Object.entries(said).filter(([name, value]) => value !== "" || !optional.has(name)));
  return (said: Query, besides?: Pick<ErrorDetails, "status">) => checked(schema, filledIn(said), "query", besides);
}

const hasLeastLength = (schema: z.core.$ZodType): boolean =>
  z.safeParse(schema, "").error?.issues.some(({ code }) => code === "too_small") === true;
