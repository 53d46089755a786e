import { z } from "zod";

/** Sizes of the pages of a list (control-plane.md section 1.3). Pages are counted from 0. */
export interface PageRule {
  readonly size: number;
  readonly max: number;
  /** Whether 0 asks for the usual size. */
  readonly zero?: boolean;
}

export interface Page {
  readonly number: number;
  readonly size: number;
}

/** No page is as large, and none as far behind: what is beyond the numbers there are is the last of them. */
const count = (least: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
    .pipe(z.int().min(least));

/** The fields of a query that ask for a page, in both spellings. */
export const pageFields = ({ zero = false }: PageRule) => ({
  current_page: count(0).optional().describe("From 0."),
  currentPage: count(0).optional().describe("The same."),
  page_size: count(zero ? 0 : 1).optional(),
  pageSize: count(zero ? 0 : 1).optional(),
});

type PageQuery = { readonly [Name in keyof ReturnType<typeof pageFields>]?: number | undefined };

/** The page a query asks for; one that is too large is made smaller. Where it begins is a number that stores can count to. */
export function pageOf(query: PageQuery, rule: PageRule): Page {
  const asked = query.page_size ?? query.pageSize ?? 0;
  const size = Math.min(asked || rule.size, rule.max);
  const last = Math.floor(Number.MAX_SAFE_INTEGER / size) - 1;
  return { number: Math.min(query.current_page ?? query.currentPage ?? 0, last), size };
}
