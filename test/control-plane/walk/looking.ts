import { expect } from "vitest";
import { type Kind, kinds } from "./kinds.ts";
import { deniedTo, isGone, isListedIn, type Place, statusOf, type Thing, type Who } from "./model.ts";
import { at, dataOf, type World } from "./world.ts";

/** Reads one as somebody does: it is what the model says, or not theirs to see. */
export async function look(world: World, thing: Thing, who: Who, chance: number): Promise<void> {
  const { kind, name, shows } = thing;
  const { status, body } = await who.call("GET", world.path(thing, chance, who));
  const about = `${who.name} reads ${kind.name} ${thing.id} ${JSON.stringify(body)}`;
  expect(status, about).toBe(statusOf(who, thing, false));
  if (status !== 200) return;
  const shown = dataOf(kind, body);
  expect(shown, about).toMatchObject({ id: thing.id, ...(!kind.nameless && { name }), ...shows });
  if (thing.slug !== undefined) expect(shown, about).toMatchObject({ slug: thing.slug });
  const { workspace_id } = shown as { workspace_id?: string | null };
  if (workspace_id !== undefined) expect([thing.place?.uuid ?? null, thing.place?.slug], about).toContain(workspace_id);
}

interface Row {
  readonly id: string;
  readonly created_at?: string | null;
  readonly is_universal?: boolean;
  readonly origin?: string;
}

/** All pages of a list, newest first, each row once, and as many of them as it says. */
export async function listed(who: Who, kind: Kind, query: string, size: number): Promise<Row[]> {
  const rows: Row[] = [];
  const ask = async (more: string) => (await who.call("GET", `${kind.path}?${query}${more}`)).body;
  if (!kind.list.paged) {
    const whole = await ask("");
    rows.push(...(Array.isArray(whole) ? whole : whole.data));
    if (!Array.isArray(whole)) expect(whole.total).toBe(rows.length);
  } else
    for (let page = 0; ; page++) {
      const { data, total } = await ask(`&page_size=${size}&current_page=${page}`);
      rows.push(...data);
      expect(data.length, `page ${page} of ${kind.path}`).toBe(Math.max(0, Math.min(size, total - page * size)));
      if (data.length < size) break;
    }
  const own = rows.filter(({ is_universal, origin }) => !is_universal && origin !== "file");
  expect(new Set(own.map(({ id }) => id)).size, `each row of ${kind.path} once`).toBe(own.length);
  const made = own.flatMap(({ created_at }) => (created_at ? [created_at] : []));
  expect(made, `${kind.path}, newest first`).toEqual([...made].sort().reverse());
  return own;
}

/** The list of a kind, as somebody sees it, has what they may see and nothing else. */
export async function lookAtList(world: World, kind: Kind, who: Who, chance: number): Promise<void> {
  const place = who.place ?? at(world.places, chance >> 2);
  const all = world.things.filter((one) => one.kind.path === kind.path);
  if (deniedTo(who, kind, false)) {
    const { status } = await who.call("GET", kind.path);
    expect(status, `${who.name} lists ${kind.path}`).toBe(403);
    return;
  }
  if (who.foreign || (place?.gone && !who.place)) return;
  const ofAll = kind.owner === "organisation" || (!who.place && !kind.list.ofPlace && chance % 2 === 0);
  const query = ofAll ? "" : `workspace_id=${chance % 4 > 1 ? place?.slug : place?.uuid}`;
  const rows = await listed(who, kind, query, 1 + (chance % 7));
  const wanted = all.filter((one) => (ofAll ? !isGone(one) : isListedIn(one, place as Place)));
  expect(rows.map(({ id }) => id).sort(), `${who.name} lists ${kind.path}?${query}`).toEqual(
    wanted.map(({ id }) => id).sort(),
  );
}

/** Everything, as the organisation and the workspaces see it. */
export async function lookAtAll(world: World, chance: number): Promise<void> {
  for (const thing of world.things) {
    await look(world, thing, world.admin, chance);
    await look(world, thing, world.asking(chance + world.things.indexOf(thing), thing.place), chance >> 1);
  }
  for (const kind of Object.values(kinds)) {
    await lookAtList(world, kind, world.admin, 0);
    for (const place of world.places) if (!place.gone) await lookAtList(world, kind, world.service(place), chance);
  }
  await lookAtPlaces(world);
}

/** Workspaces that are there, and those that are not. */
export async function lookAtPlaces(world: World): Promise<void> {
  const kind = { path: "/admin/workspaces", list: { paged: true } } as Kind;
  const slugsOf = async (query: string) => (await listed(world.admin, kind, query, 3)).map(({ id }) => id).sort();
  const slugs = (gone: boolean) => world.places.filter((one) => one.gone === gone).map(({ slug }) => slug);
  expect(await slugsOf("")).toEqual(slugs(false).sort());
  expect(await slugsOf("status=archived")).toEqual(slugs(true).sort());
  for (const { uuid, slug, name, gone } of world.places)
    for (const ref of [uuid, slug]) {
      const { status, body } = await world.admin.call("GET", `/admin/workspaces/${ref}`);
      expect(status).toBe(gone ? 404 : 200);
      if (!gone) expect(body).toMatchObject({ slug, uuid, name });
    }
}
