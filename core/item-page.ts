import { GatewayError } from "./errors/gateway-error.ts";
import type { ItemPage } from "./model/stored-file.ts";

/**
 * A part of what is kept here, as OpenAI pages its lists: so many of those that come behind the one `after` names. Throws
 * `invalid_request` where none has that id; `what` are the words for it: "batch of yours".
 */
export async function itemPage<Kept extends { readonly id: string }, Item>(
  all: AsyncIterable<Kept>,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  what: string,
  shown: (one: Kept) => Item,
): Promise<ItemPage<Item>> {
  const data: Item[] = [];
  let behind = after === undefined;
  for await (const one of all) {
    if (behind) {
      if (data.length === limit) return { data, hasMore: true };
      data.push(shown(one));
    } else behind = one.id === after;
  }
  if (behind) return { data, hasMore: false };
  throw new GatewayError("invalid_request", `after names no ${what}: "${after}".`, { param: "after" });
}
