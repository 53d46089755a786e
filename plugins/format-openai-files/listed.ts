import type { Fields, ItemPage } from "../../core/index.ts";

/** A page of a list. `last_id` is what goes into `after` for the next one. */
export const listed = <Item extends { readonly id: string }>(
  { data, hasMore, next }: ItemPage<Item>,
  write: (item: Item) => Fields,
): Fields => ({
  object: "list",
  data: data.map(write),
  first_id: data[0]?.id ?? null,
  last_id: next ?? data.at(-1)?.id ?? null,
  has_more: hasMore,
});
