import fc from "fast-check";
import { expect } from "vitest";
import type { LogRow } from "../../core/index.ts";
import type { Caller } from "../support/management.ts";
import { type Filter, filtersOf, type Opinion } from "./search.ts";
import type { World } from "./world.ts";

/** Newest first; of the same moment, by id. */
const inOrder = (rows: readonly LogRow[]): LogRow[] =>
  [...rows].sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
const keyOf = ({ created_at, id }: LogRow): string => `${created_at} ${id}`;

/** Says what somebody thinks of some traces, and what was said. */
export async function speak(world: World, traces: readonly string[], seed: number): Promise<Opinion[]> {
  const opinion = fc.record({
    trace: fc.constantFrom(...traces, "a-trace-that-never-was"),
    value: fc.integer({ min: -10, max: 10 }),
    weight: fc.constantFrom(0, 0.25, 0.5, 1),
  });
  const said = fc.sample(opinion, { numRuns: 12, seed });
  const ids: string[] = [];
  for (const [at, { trace, value, weight }] of said.entries()) {
    const caller = world.as(world.walkers[at % world.walkers.length] as World["walkers"][number]);
    const { status, body } = await caller("POST", "/feedback", { trace_id: trace, value, weight });
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.feedback_ids);
  }
  // The first one thinks again.
  const first = world.as(world.walkers[0] as World["walkers"][number]);
  expect((await first("PUT", `/feedback/${ids[0]}`, { value: 3 })).status).toBe(200);
  return said.map((one, at) => (at === 0 ? { ...one, value: 3 } : one));
}

/** Whatever is looked for is what a look at all records finds, for whoever may see it. */
export async function expectSearches(
  world: World,
  rows: readonly LogRow[],
  opinions: readonly Opinion[],
  seed: number,
) {
  const search = fc.record({
    filters: fc.array(filtersOf(rows, opinions), { maxLength: 3 }),
    who: fc.nat({ max: world.walkers.length }),
    size: fc.constantFrom(1, 3, 10, 50, 500),
    page: fc.nat({ max: 3 }),
  });
  const slugs = [...new Set(world.walkers.map(({ slug }) => slug))];
  for (const { filters, who, size, page } of fc.sample(search, { numRuns: 25, seed })) {
    const walker = world.walkers[who];
    const caller: Caller = walker ? world.as(walker) : world.recording.admin;
    // Who belongs to a workspace sees that one, whichever is asked for; others may ask for one.
    const slug = slugs[page];
    const whose = walker ? walker.slug : slug;
    const own = whose ? rows.filter((row) => row.workspace_slug === whose) : rows;
    const chosen = distinct(filters);
    const wanted = inOrder(own.filter((row) => chosen.every(({ passes }) => passes(row))));
    const asked = chosen.map((filter) => filter.query);
    const query = new URLSearchParams(Object.assign({}, ...asked, slug && { workspace_slug: slug }));
    const said = `${who} ${query}`;
    const ids = (some: readonly LogRow[]) => some.map(({ id }) => id);
    const paged = await caller("GET", `/logs?${query}&page_size=${size}&current_page=${page}`);
    expect(paged.status, `${said} ${JSON.stringify(paged.body)}`).toBe(200);
    expect(paged.body.total, said).toBe(wanted.length);
    expect(ids(paged.body.data), said).toEqual(ids(wanted.slice(page * size, (page + 1) * size)));
    expect(paged.body.next_cursor === null, said).toBe((page + 1) * size >= wanted.length);
    const found: LogRow[] = [];
    for (let cursor: string | null = ""; cursor !== null && size > 1; ) {
      const { body } = await caller("GET", `/logs?${query}&page_size=${size}${cursor && `&cursor=${cursor}`}`);
      found.push(...body.data);
      cursor = body.next_cursor;
    }
    if (size > 1) expect(ids(found), said).toEqual(ids(wanted));
  }
}

/** Two that ask for the same parameter would be one. */
function distinct(filters: readonly Filter[]): Filter[] {
  const names = new Set<string>();
  return filters.filter(({ query }) => {
    const own = Object.keys(query);
    if (own.some((name) => names.has(name))) return false;
    for (const name of own) names.add(name);
    return true;
  });
}

/** What belongs to another workspace is not there. */
export async function expectApart(world: World, rows: readonly LogRow[]): Promise<void> {
  for (const row of rows.slice(0, 8))
    for (const walker of world.walkers) {
      const { status } = await world.as(walker)("GET", `/logs/${row.id}`);
      expect(status).toBe(row.workspace_slug === walker.slug ? 200 : 404);
    }
}
