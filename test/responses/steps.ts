import fc from "fast-check";
import { expect, vi } from "vitest";
import type { Fields } from "../../core/index.ts";
import { create, createTogether } from "./create.ts";
import { creation } from "./creation.ts";
import type { World } from "./deployment.ts";
import { chainOf, type Kept, listed } from "./model.ts";

const asking = {
  who: fc.nat(2),
  pick: fc.nat(),
  isOwn: fc.boolean(),
  provider: fc.constantFrom("chats", "claude", "native"),
};
const limit = fc.constantFrom(undefined, 1, 2, 3, 100);

export const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("create"), creation }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("together"),
      all: fc.array(creation, { minLength: 2, maxLength: 4 }),
      isSame: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("get", "cancel"), ...asking }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete"), ...asking }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("list"),
      ...asking,
      limit,
      order: fc.constantFrom(undefined, "asc", "desc"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("part"),
      ...asking,
      limit,
      order: fc.constantFrom(undefined, "asc", "desc"),
      after: fc.option(fc.nat()),
      before: fc.option(fc.nat()),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("age"), days: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart"), really: fc.nat(4) }) },
) as fc.Arbitrary<Step>;

interface Asking {
  readonly who: number;
  readonly pick: number;
  readonly isOwn: boolean;
  readonly provider: string;
}
interface Listing extends Asking {
  readonly limit: number | undefined;
  readonly order: string | undefined;
}
export type Step =
  | { readonly kind: "create"; readonly creation: Parameters<typeof create>[1] }
  | { readonly kind: "together"; readonly all: Parameters<typeof createTogether>[1]; readonly isSame: boolean }
  | ({ readonly kind: "get" | "cancel" | "delete" } & Asking)
  | ({ readonly kind: "list" } & Listing)
  | ({ readonly kind: "part"; readonly after: number | null; readonly before: number | null } & Listing)
  | { readonly kind: "age"; readonly days: number }
  | { readonly kind: "restart"; readonly really: number };

export async function run(world: World, one: Step): Promise<void> {
  world.count(one.kind);
  switch (one.kind) {
    case "create":
      return create(world, one.creation);
    case "together": {
      const [first] = one.all;
      const same = first && { who: first.who, from: first.from, pick: first.pick };
      return createTogether(world, one.isSame ? one.all.map((each) => ({ ...each, ...same })) : one.all);
    }
    case "age":
      return void vi.setSystemTime(Date.now() + one.days * 86_400_000);
    case "restart":
      return one.really === 0 ? world.deployment.restart() : undefined;
    default:
      return ask(world, one);
  }
}

const shown = { get: ["GET", ""], cancel: ["POST", "/cancel"], delete: ["DELETE", ""] } as const;

/** Asks for a response: what is kept here is answered here, everything else is the vendor's to know. */
async function ask(
  world: World,
  one: Exclude<Step, { kind: "create" | "together" | "age" | "restart" }>,
): Promise<void> {
  const { who, pick, isOwn, provider } = one;
  const tenant = world.tenant(who);
  const ids = isOwn ? world.model.of(tenant).map(({ id }) => id) : world.model.seen;
  const id = ids[pick % Math.max(1, ids.length)] ?? "resp_nobody_made";
  const kept = world.model.find(tenant, id);
  const send = (method: string, what: string) =>
    world.send(who, { provider: `@${provider}` }, { method, path: `/v1/responses/${id}${what}` });
  if (kept && one.kind === "list") return list(world, one, kept, send);
  if (kept && one.kind === "part") return part(one, kept, await fullList(kept, send), send);
  const [method, what] =
    one.kind === "list" || one.kind === "part" ? (["GET", "/input_items"] as const) : shown[one.kind];
  const isThere = world.deployment.vendors.keeps(id);
  const { answer, calls } = await send(method, what);
  if (kept) {
    expect(calls).toEqual([]);
    if (one.kind === "get") expect([answer.status, answer.body]).toEqual([200, kept.response]);
    if (one.kind === "cancel") expect(answer.status).toBe(400);
    if (one.kind !== "delete") return;
    expect([answer.status, answer.body]).toEqual([200, { id, object: "response", deleted: true }]);
    return world.model.remove(id);
  }
  if (provider === "native") {
    expect(calls.map(({ method, path }) => [method, path])).toEqual([[method, `/responses/${id}${what}`]]);
    expect(answer.status).toBe(isThere ? 200 : 404);
    return;
  }
  expect([answer.status, calls]).toEqual([404, []]);
}

type Send = (method: string, what: string) => ReturnType<World["send"]>;

async function fullList(kept: Kept, send: Send): Promise<Fields[]> {
  const { answer } = await send("GET", "/input_items?limit=100");
  expect(answer.status).toBe(200);
  const all = answer.body.data as Fields[];
  if (all.length < 100) checkList(kept, all);
  return all;
}

/** The items, those of the client less the ids they were given, which stay. */
function checkList(kept: Kept, all: readonly Fields[]): void {
  const ids = all.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(kept.ids ?? ids).toEqual(ids);
  kept.ids = ids;
  const wanted = kept.items.filter(({ type }) => type !== "item_reference").map(listed);
  // An item that is said again is one more item.
  const isAgain = (at: number) => wanted.slice(0, at).some(({ id }) => id === wanted[at]?.id);
  for (const [at, { id, ...item }] of all.entries()) {
    const { id: own, ...rest } = wanted[at] ?? {};
    expect([item, own === undefined || isAgain(at) ? own : id]).toEqual([rest, own]);
  }
  expect(all.length).toBe(wanted.length);
}

/** Pages together are the whole list, either way. */
async function list(world: World, { limit, order }: Listing, kept: Kept, send: Send): Promise<void> {
  const all: Fields[] = [];
  for (let after = "", more = true; more; ) {
    const query = new URLSearchParams({
      ...(limit && { limit: `${limit}` }),
      ...(order && { order }),
      ...(after && { after }),
    });
    const { answer } = await send("GET", `/input_items?${query}`);
    expect(answer.status).toBe(200);
    const { data, has_more, first_id, last_id } = answer.body as { data: Fields[] } & Fields;
    expect([first_id, last_id]).toEqual([data[0]?.id ?? null, data.at(-1)?.id ?? null]);
    expect(data.length).toBeLessThanOrEqual(limit ?? 20);
    all.push(...data);
    expect(all.length).toBeLessThanOrEqual(chainOf(kept).length);
    more = has_more === true;
    after = String(last_id);
  }
  world.count("pages read");
  checkList(kept, order === "desc" ? all.toReversed() : all);
}

async function part(
  { limit, order, after, before }: Extract<Step, { kind: "part" }>,
  _kept: Kept,
  all: readonly Fields[],
  send: Send,
): Promise<void> {
  if (all.length === 0) return;
  const sorted = order === "desc" ? all.toReversed() : all;
  const from = after === null ? -1 : after % sorted.length;
  const to = before === null ? sorted.length : before % sorted.length;
  const query = new URLSearchParams({
    ...(limit && { limit: `${limit}` }),
    ...(order && { order }),
    ...(after !== null && { after: String(sorted[from]?.id) }),
    ...(before !== null && { before: String(sorted[to]?.id) }),
  });
  const { answer } = await send("GET", `/input_items?${query}`);
  const left = sorted.filter((_, at) => at > from && at < to);
  const most = limit ?? 20;
  const data = before !== null && after === null ? left.slice(-most) : left.slice(0, most);
  expect(answer.body).toEqual({
    object: "list",
    data,
    has_more: left.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  });
}
