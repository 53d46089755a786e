import { relative } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { chance } from "../support/chance.ts";
import {
  type Caller,
  folderOfFile,
  openManagement,
  type TestManagement,
  wholeControlPlane,
} from "../support/management.ts";
import { json, startUpstream } from "../support/upstream.ts";
import { ask } from "./walk/asking.ts";
import { edit } from "./walk/changing.ts";
import { type KindName, kinds } from "./walk/kinds.ts";
import { look, lookAtAll, lookAtList } from "./walk/looking.ts";
import { make } from "./walk/making.ts";
import type { Who } from "./walk/model.ts";
import { editMember, editUser, invite, lookAtPeople, rotate } from "./walk/people.ts";
import { editPlace, emptyPlace, makePlace, removePlace, share } from "./walk/places.ts";
import { race } from "./walk/races.ts";
import { remove } from "./walk/removing.ts";
import { at, type Draw, World } from "./walk/world.ts";

/** What is done, and how often. */
const weights = {
  ...{ make: 26, edit: 8, remove: 4, look: 3, list: 3, ask: 4, race: 2 },
  ...{ invite: 2, user: 2, member: 3, rotate: 1, share: 2, userKey: 3 },
  ...{ place: 1, editPlace: 2, removePlace: 1, empty: 1 },
};
const often = (what: string, times: number): string[] => Array.from({ length: times }, () => what);

const steps = fc.array(
  fc.record({
    what: fc.constantFrom(...Object.entries(weights).flatMap(([what, times]) => often(what, times))),
    kind: fc.constantFrom(...(Object.keys(kinds) as KindName[])),
    a: fc.nat({ max: 1_000_000 }),
    b: fc.nat({ max: 1_000_000 }),
    c: fc.nat({ max: 1_000_000 }),
    d: fc.nat({ max: 1_000_000 }),
  }),
  { minLength: 30, maxLength: 120, size: "max" },
);

async function take(world: World, draw: Draw): Promise<void> {
  const { what, kind, a, b } = draw;
  const thing = at(b % 3 ? world.of(kind) : [], a) ?? at(world.things, a);
  const place = at(world.places, a);
  const user = at(world.users, a);
  const keys = [...world.of("keys"), ...world.of("userKeys")];
  const key = at(keys, a);
  if (what === "make") await make(world, draw);
  else if (what === "userKey") await make(world, { ...draw, kind: "userKeys" });
  else if (what === "edit" && thing) await edit(world, thing, draw);
  else if (what === "remove" && thing) await remove(world, thing, draw);
  else if (what === "look" && thing) await look(world, thing, world.asking(b, thing.place), draw.c);
  else if (what === "list") await lookAtList(world, kinds[kind], world.asking(b), draw.c);
  else if (what === "ask" && key) await ask(world, key, b);
  else if (what === "invite") await invite(world, draw);
  else if (what === "user" && user) await editUser(world, user, draw);
  else if (what === "member") await editMember(world, draw);
  else if (what === "rotate") await rotate(world, draw);
  else if (what === "share") await share(world, draw);
  else if (what === "race") await race(world, thing, draw);
  else if (what === "place") await makePlace(world, draw);
  else if (what === "editPlace" && place) await editPlace(world, place, draw);
  else if (what === "removePlace" && place) await removePlace(world, place, draw);
  else if (what === "empty" && place && a % 3 === 0)
    await emptyPlace(world, place, (one) => remove(world, one, { ...draw, a: 0 }));
}

async function lookAtWorld(world: World, chance: number): Promise<void> {
  await lookAtAll(world, chance);
  await lookAtPeople(world);
  for (const key of [...world.of("keys"), ...world.of("userKeys")]) await ask(world, key, chance);
}

/** Somebody of another organisation, and a workspace of it. */
async function others(management: () => TestManagement): Promise<Who[]> {
  const organisation = crypto.randomUUID();
  const as =
    (principal: object): Caller =>
    (...asked) =>
      management().as({ organisation, ...principal })(...asked);
  const { body } = await as({})("POST", "/admin/workspaces", { name: "Other" });
  const place = { uuid: body.uuid, slug: body.slug, name: "Other", gone: false, defaults: {} };
  const call = as({ workspace: place.uuid });
  return [
    { name: "another organisation", call: as({}), foreign: true },
    { name: "a workspace of another organisation", call, place, foreign: true },
  ];
}

it("what is managed is what was made of it, for those whose it is, and after a restart", async () => {
  const folder = folderOfFile();
  const said = { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" };
  const vendor = await startUpstream((_, response) =>
    json(response, 200, { id: "c", object: "chat.completion", created: 1, model: "m", choices: [said] }),
  );
  const counters = {
    use: relative(folder, new URL("../../plugins/policy-records/testing.ts", import.meta.url).pathname),
  };
  const open = () =>
    openManagement(
      { ...wholeControlPlane, counters },
      { folder, providers: { simulator: {} }, variables: { TRUSTED_CUSTOM_HOSTS: "127.0.0.1" } },
    );
  let management = await open();
  const strangers = await others(() => management);
  let last: World | undefined;
  try {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const world = new World(() => management, strangers, `${vendor.url}/v1`);
        last = world;
        await world.newPlace("One");
        await world.newPlace("Two");
        for (const a of [1, 2]) await invite(world, { what: "invite", kind: "keys", a, b: a, c: a, d: a });
        for (const draw of all) await take(world, draw);
        await lookAtWorld(world, all.length);
      }),
      // A shorter walk would be no easier to read: each step depends on all that were before.
      { ...chance(2, 1), endOnFailure: true },
    );
    await management.close();
    management = await open();
    if (last) await lookAtWorld(last, 1);
    expect(last?.things.length).toBeGreaterThan(0);
  } finally {
    await management.close();
  }
}, 3_000_000);
