import {
  type Answer,
  type Endpoint,
  type Exchange,
  type Fields,
  GatewayError,
  type StoredRecord,
  tenantOf,
} from "../../core/index.ts";
import type { Background } from "./background.ts";
import type { Keeper } from "./keeper.ts";
import { formatName, type KeptResponse } from "./kept-response.ts";

const json = (body: Readonly<Record<string, unknown>>, status = 200): Answer => ({ kind: "answer", status, body });

const queryOf = (url: string): URLSearchParams => new URL(url, "http://gateway").searchParams;

type Ask = (kept: StoredRecord<KeptResponse>, keeper: Keeper, url: string) => Answer | Promise<Answer>;

/** What can be asked about a response. One that is not kept here is its provider's to know. */
const asks: readonly { method: string; type: string; path: string; ask: Ask }[] = [
  {
    method: "GET",
    type: "getModelResponse",
    path: "/v1/responses/:id",
    ask({ document }, _, url) {
      // A client that waits for events would take one piece for a stream in which nothing happened.
      if (queryOf(url).get("stream") === "true")
        throw new GatewayError("invalid_request", "Only responses made with background: true can be streamed again.", {
          param: "stream",
        });
      return json(document.response);
    },
  },
  {
    method: "DELETE",
    type: "deleteModelResponse",
    path: "/v1/responses/:id",
    async ask(kept, keeper) {
      await keeper.remove(kept);
      return json({ id: kept.id, object: "response", deleted: true });
    },
  },
  {
    method: "POST",
    type: "cancelModelResponse",
    path: "/v1/responses/:id/cancel",
    ask() {
      throw new GatewayError("invalid_request", "Only responses made with background: true can be cancelled.", {
        param: "response_id",
      });
    },
  },
  {
    method: "GET",
    type: "listResponseInputItems",
    path: "/v1/responses/:id/input_items",
    ask: ({ document }, _, url) => json(page(document.input, queryOf(url))),
  },
];

/** What tells of a response as a whole. */
const telling: ReadonlySet<string> = new Set(["getModelResponse", "cancelModelResponse"]);

export const endpoints = (keeper: Keeper, { witness }: Pick<Background, "witness">): Endpoint[] =>
  asks.map(({ method, type, path, ask }) => ({
    type,
    method,
    path,
    rawBody: true,
    firstTarget: true,
    ...(telling.has(type) && { witness }),
    ...(method === "GET" && { anyScope: ["completions.write", "completions.read"] }),
    async serve(exchange) {
      const id = /\/responses\/([^/?]+)/.exec(exchange.url)?.[1];
      if (id === undefined || !exchange.principal) return undefined;
      const found = await keeper.find(tenantOf(exchange.principal), decodeURIComponent(id));
      return found && ask(found, keeper, exchange.url);
    },
  }));

const types: ReadonlySet<string> = new Set(asks.map(({ type }) => type));

/** Refuses to ask a provider about a response that it cannot have, and that is not kept here either (section 11.6). */
export function refuseElsewhere({ endpoint, attempt, url }: Exchange): void {
  if (!types.has(endpoint.type)) return;
  const { name, operations } = attempt?.target.provider ?? {};
  if (!operations?.chat || operations.chat.some(({ format }) => format === formatName)) return;
  const id = /\/responses\/([^/?]+)/.exec(url)?.[1] ?? "";
  throw new GatewayError("item_unknown", `There is no response "${id}": none is kept here, and ${name} keeps none.`);
}

/** Items of a page: `limit` 1 to 100, `order`, `after` and `before` an item (the owner's document). */
function page(items: readonly Readonly<Fields>[], query: URLSearchParams): Record<string, unknown> {
  const limit = limitOf(query.get("limit"));
  const order = query.get("order") ?? "asc";
  if (order !== "asc" && order !== "desc")
    throw new GatewayError("invalid_request", `order must be asc or desc, not "${order}".`, { param: "order" });
  const sorted = order === "asc" ? items : [...items].reverse();
  const from = placeOf(sorted, query.get("after"), "after");
  const to = placeOf(sorted, query.get("before"), "before");
  const left = sorted.slice(from === undefined ? 0 : from + 1, to);
  // The page before an item ends with the one next to it; `has_more` is told of where a client is going.
  const goesBack = to !== undefined && from === undefined;
  const data = goesBack ? left.slice(-limit) : left.slice(0, limit);
  return {
    object: "list",
    data,
    has_more: left.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function limitOf(asked: string | null): number {
  if (asked === null) return 20;
  const limit = Number(asked);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new GatewayError("invalid_request", `limit must be a whole number from 1 to 100, not "${asked}".`, {
    param: "limit",
  });
}

function placeOf(items: readonly Readonly<Fields>[], id: string | null, param: string): number | undefined {
  if (id === null) return undefined;
  const place = items.findIndex((item) => item.id === id);
  if (place >= 0) return place;
  throw new GatewayError("invalid_request", `${param} names no item of this response: "${id}".`, { param });
}
