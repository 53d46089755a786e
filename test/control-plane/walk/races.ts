import { expect } from "vitest";
import type { Answered } from "../../support/management.ts";
import { kinds, nameOf } from "./kinds.ts";
import { isGone, type Place, type Thing } from "./model.ts";
import { forget } from "./people.ts";
import { removed, staying } from "./removing.ts";
import { at, type Draw, type World } from "./world.ts";

const statuses = (all: readonly Answered[]): number[] => all.map(({ status }) => status);

/** Two who do something at the same time: each way to tell what came of it is one in which one was first. */
export async function race(world: World, thing: Thing | undefined, draw: Draw): Promise<void> {
  const { a } = draw;
  if (thing && !isGone(thing) && thing.kind.name !== "virtualKeys") await onOne(world, thing, draw);
  const races = [makers, leaver, provider, placeGone, collected];
  await races[a % races.length]?.(world, draw);
}

/** Of two changes one is the last; of two deletions one is done. */
async function onOne(world: World, thing: Thing, { b, c }: Draw): Promise<void> {
  const { kind } = thing;
  const { call } = world.admin;
  const path = `${kind.path}/${thing.id}`;
  if (kind.nameless || kind.uniqueName) return;
  const names = [nameOf(kind, c), nameOf(kind, c + 1)];
  const edits = names.map((name) => call("PUT", path, { name }));
  const mayGo = staying(world, thing);
  if (b % 3) {
    expect(statuses(await Promise.all(edits))).toEqual([200, 200]);
    const { body } = await call("GET", path);
    thing.name = (kind.name === "configs" ? body.data : body).name;
    expect(names).toContain(thing.name);
    const virtual = thing.links.get("virtualKeys");
    if (virtual) virtual.name = thing.name;
    return;
  }
  const [first, second, ...edited] = statuses(
    await Promise.all([call("DELETE", path), call("DELETE", path), ...edits]),
  );
  for (const status of edited) expect([200, kind.unseen]).toContain(status);
  if (mayGo === 200) {
    expect([first, second].sort()).toEqual([200, kind.unseen]);
    removed(world, thing);
  } else {
    expect([first, second]).toEqual([mayGo, mayGo]);
    const { body } = await call("GET", path);
    thing.name = (kind.name === "configs" ? body.data : body).name;
  }
}

/** Of two who want the same name one has it. */
async function makers(world: World, { b, c }: Draw): Promise<void> {
  const place = at(
    world.places.filter(({ gone }) => !gone),
    b,
  );
  if (!place) return;
  const { call } = world.admin;
  const name = `n${c}${crypto.randomUUID().slice(0, 8)}`;
  const label = { name, workspace_id: place.uuid };
  const both = await Promise.all([call("POST", "/labels", label), call("POST", "/labels", label)]);
  expect(statuses(both).sort()).toEqual([200, 409]);
  const { id } = both.find(({ status }) => status === 200)?.body ?? {};
  world.add({ kind: kinds.labels, id, slug: undefined, place, name, shows: {} });
  const made = await Promise.all([1, 2].map(() => call("POST", "/admin/workspaces", { name })));
  expect(statuses(made).sort()).toEqual([200, 409]);
  const { uuid, slug } = made.find(({ status }) => status === 200)?.body ?? {};
  expect((await call("DELETE", `/admin/workspaces/${uuid}`)).status).toBe(200);
  world.places.push({ uuid, slug, name, gone: true, defaults: {} });
}

/** A key that is made for somebody who is leaving lets nobody in. */
async function leaver(world: World, { b, c }: Draw): Promise<void> {
  const user = at(
    world.users.filter(({ gone, role, roles }) => !gone && role === "member" && roles.size > 0),
    b,
  );
  const place =
    user &&
    at(
      [...user.roles.keys()].filter(({ gone }) => !gone),
      c,
    );
  if (!user || !place) return;
  const { call } = world.admin;
  const body = { name: "leaving", workspace_id: place.uuid, user_id: user.id, scopes: ["completions.write"] };
  const [made, left] = await Promise.all([
    call("POST", "/api-keys/workspace/user", body),
    call("DELETE", `/admin/workspaces/${place.uuid}/users/${user.id}`),
  ]);
  expect(left.status).toBe(200);
  expect([200, 404]).toContain(made.status);
  user.roles.delete(place);
  forget(world, user, place);
  if (made.status !== 200) return;
  const { id, key } = made.body;
  const shows = { scopes: body.scopes };
  const thing = world.add({
    kind: kinds.userKeys,
    id,
    slug: undefined,
    place,
    name: body.name,
    shows,
    user,
    gone: true,
  });
  world.told(thing, key);
}

/** A provider of an integration that is deleted is deleted, too, or not made. */
async function provider(world: World, { b }: Draw): Promise<void> {
  const own = world.of("integrations").filter((one) => one.place && !isGone(one));
  const integration = at(own, b);
  const { place } = integration ?? {};
  if (!integration || !place) return;
  const { call } = world.admin;
  const [made, gone] = await Promise.all([
    call("POST", "/providers", { name: "p", integration_id: integration.id, workspace_id: place.uuid }),
    call("DELETE", `/integrations/${integration.id}`),
  ]);
  expect(gone.status).toBe(200);
  expect([200, 404]).toContain(made.status);
  removed(world, integration);
  if (made.status !== 200) return;
  const { id, slug } = made.body;
  world.add({ kind: kinds.providers, id, slug, place, name: "p", shows: {}, gone: true });
}

/** What is made in a workspace that is deleted is in it, and keeps it, or is not made. */
async function placeGone(world: World, { b, c }: Draw): Promise<void> {
  const name = `gone ${crypto.randomUUID()}`;
  const place: Place = await world.newPlace(name);
  const { call } = world.admin;
  const kind = at([kinds.configs, kinds.guardrails, kinds.keys, kinds.labels, kinds.partials], b) ?? kinds.configs;
  const [made, gone] = await Promise.all([
    call("POST", kind.made ?? kind.path, {
      name: "beta",
      ...kind.body(c % 100, world.secret, ""),
      workspace_id: place.uuid,
    }),
    call("DELETE", `/admin/workspaces/${place.uuid}`),
  ]);
  const outcome = [made.status, gone.status];
  const fitting = kind.blocks
    ? [
        [200, 400],
        [404, 200],
      ]
    : [
        [200, 200],
        [404, 200],
      ];
  expect(fitting, kind.name).toContainEqual(outcome);
  place.gone = gone.status === 200;
  if (made.status !== 200) return;
  const { id, slug, key } = made.body.data ?? made.body;
  const thing = world.add({ kind, id, slug, place, name: "beta", shows: kind.shows(c % 100) });
  if (key) world.told(thing, key);
}

/** What is put into a collection that is deleted is in the default one, or is not made. */
async function collected(world: World, { b }: Draw): Promise<void> {
  const usual = at(
    world.of("collections").filter((one) => one.shows.is_default && !isGone(one)),
    b,
  );
  const { place } = usual ?? {};
  if (!usual || !place) return;
  const { call } = world.admin;
  const made = await call("POST", "/collections", { name: "c", workspace_id: place.uuid });
  const { id: collection_id, slug } = made.body;
  const shows = { is_default: false };
  world.add({ kind: kinds.collections, id: collection_id, slug, place, name: "c", shows, gone: true });
  const body = { name: "p", string: "Hi", parameters: {}, virtual_key: "simulator", collection_id };
  const [prompt, gone] = await Promise.all([
    call("POST", "/prompts", body),
    call("DELETE", `/collections/${collection_id}`),
  ]);
  expect(gone.status).toBe(200);
  expect([200, 404]).toContain(prompt.status);
  if (prompt.status !== 200) return;
  const { id, slug: own } = prompt.body;
  const thing = { kind: kinds.prompts, id, slug: own, place, name: "p", shows: { collection_id: usual.id } };
  world.add(thing).links.set("collections", usual);
}
