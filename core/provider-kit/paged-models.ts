import { isRecord } from "../codec-kit/records.ts";
import type { ModelQuery, Vendor } from "../model/procedure.ts";

type Wire = Readonly<Record<string, unknown>>;

/** How a vendor's list of models goes on from page to page. */
interface ModelPages {
  /** Where the models stand in a page. */
  readonly list: string;
  /** What of a query asks for a page: who asks so has that page, and no other. */
  readonly asks: readonly string[];
  /** Asks for pages as long as the vendor has them. */
  readonly longest: ModelQuery;
  /** What asks for the page behind this one; undefined where it is the last. */
  readonly next: (page: Wire) => ModelQuery | undefined;
}

const mostPages = 50;

/**
 * Asks for all pages of a vendor's list of models, as one. The answer says besides what the last page says; a page that is no list, or
 * is followed by one that was asked for before, is the last.
 */
const pagedModels =
  ({ list, asks, longest, next }: ModelPages) =>
  async (asked: ModelQuery, vendor: Vendor): Promise<Wire> => {
    const page = async (query: ModelQuery): Promise<Wire> =>
      (await vendor.call({ method: "GET", path: vendor.place("/models"), query })).json();
    if (asks.some((name) => name in asked)) return page(asked);
    const first = await page({ ...longest, ...asked });
    const listed = listIn(first, list);
    if (!listed) return first;
    const known = new Set<string>();
    let last = first;
    for (let pages = 1; pages < mostPages; pages++) {
      const more = next(last);
      const mark = JSON.stringify(more);
      if (!more || known.has(mark)) break;
      known.add(mark);
      const following = await page({ ...longest, ...asked, ...more });
      const models = listIn(following, list);
      if (!models) break;
      listed.push(...models);
      last = following;
    }
    return { ...last, ...("first_id" in first && { first_id: first.first_id }), [list]: listed };
  };

const listIn = (page: unknown, list: string): unknown[] | undefined => {
  const listed = isRecord(page) ? page[list] : undefined;
  return Array.isArray(listed) ? [...listed] : undefined;
};

/** The pages of a list in `models` whose pages name the next one by a token; vendors without one leave it out, or empty. */
export const modelsByToken = ({ said, asked, length }: Readonly<Record<"said" | "asked" | "length", string>>) =>
  pagedModels({
    list: "models",
    asks: [length, asked],
    longest: { [length]: "1000" },
    next: ({ [said]: token }) => (typeof token === "string" && token !== "" ? { [asked]: token } : undefined),
  });

/** The pages of a list in `data` that go on behind the model they end with: `{data, first_id, last_id, has_more}`. */
export const modelsByLastId = pagedModels({
  list: "data",
  asks: ["limit", "after_id", "before_id"],
  longest: { limit: "1000" },
  next: ({ has_more: goesOn, last_id: last }) =>
    goesOn === true && typeof last === "string" ? { after_id: last } : undefined,
});
