import { expect } from "vitest";
import { nameOf } from "./kinds.ts";
import { isGone, type Place } from "./model.ts";
import { at, type Draw, type World } from "./world.ts";

/** Makes a workspace, or one that has the name of another one. */
export async function makePlace(world: World, { c }: Draw): Promise<void> {
  const name = nameOf({ name: "configs" }, c);
  if (!world.places.some((one) => !one.gone && one.name === name)) return void (await world.newPlace(name));
  expect((await world.admin.call("POST", "/admin/workspaces", { name })).status).toBe(409);
}

/** Renames a workspace, gives it a default, or takes that away. */
export async function editPlace(world: World, place: Place, { a, b, c }: Draw): Promise<void> {
  const person = at(
    world.users.filter(({ gone }) => !gone),
    a,
  );
  const who =
    [world.admin, world.admin, world.service(place), person && world.person(person, place)][b % 4] ?? world.admin;
  const guardrail = at(world.of("guardrails"), c);
  const config = at(world.of("configs"), c);
  const name = nameOf({ name: "configs" }, c);
  const twin = world.places.some((one) => one !== place && !one.gone && one.name === name);
  const unnamed = (thing: typeof config) =>
    thing && (thing.kind.name === "configs" ? thing.place !== place || isGone(thing) : !world.canName(thing, place));
  const changes = [
    { sent: { name }, wrong: twin ? 409 : 200, done: () => Object.assign(place, { name }) },
    {
      sent: { defaults: { input_guardrails: guardrail ? [guardrail.slug] : [] } },
      wrong: unnamed(guardrail) ? 404 : 200,
      done: () => Object.assign(place.defaults, { guardrail }),
    },
    {
      sent: { defaults: { user_api_key_config: config?.id ?? null } },
      wrong: unnamed(config) ? 404 : 200,
      done: () => Object.assign(place.defaults, { config }),
    },
    {
      sent: { defaults: { user_api_key_config: null, input_guardrails: [] } },
      wrong: 200,
      done: () => Object.assign(place.defaults, { config: undefined, guardrail: undefined }),
    },
  ];
  const { sent, wrong, done } = changes[c % 4] as (typeof changes)[number];
  const denied = who.role === "member" || (place.gone && who.place) ? 403 : undefined;
  const expected = denied ?? (place.gone ? 404 : wrong);
  const { status, body } = await who.call("PUT", `/admin/workspaces/${b % 2 ? place.slug : place.uuid}`, sent);
  expect(status, `${who.name} ${JSON.stringify(sent)} ${JSON.stringify(body)}`).toBe(expected);
  if (status === 200) done();
}

export async function removePlace(world: World, place: Place, { a, b }: Draw): Promise<void> {
  const who = b % 4 ? world.admin : world.service(place);
  const blocked = world.things.some((one) => one.kind.blocks && one.place === place && !one.gone);
  const expected = who.place ? 403 : place.gone ? 404 : blocked ? 400 : 200;
  const { status, body } = await who.call("DELETE", `/admin/workspaces/${a % 2 ? place.slug : place.uuid}`);
  expect(status, JSON.stringify(body)).toBe(expected);
  if (status === 200) place.gone = true;
}

/** Deletes what keeps a workspace, so that it can go. */
export async function emptyPlace(
  world: World,
  place: Place,
  removeOne: (thing: World["things"][number]) => Promise<unknown>,
) {
  for (const thing of world.things)
    if (thing.kind.blocks && thing.place === place && !isGone(thing)) await removeOne(thing);
}

/** Opens an integration of the organisation to a workspace, or closes it. */
export async function share(world: World, { a, b, c }: Draw): Promise<void> {
  const integration = at(world.of("integrations"), a);
  const place = at(world.places, b);
  if (!integration || !place) return;
  const enabled = c % 3 > 0;
  const workspaces = [{ id: c % 2 ? place.uuid : place.slug, enabled, create_default_provider: false }];
  const path = `/integrations/${integration.id}/workspaces`;
  const { status, body } = await world.admin.call("PUT", path, { workspaces });
  const expected = isGone(integration) ? 404 : integration.place ? 400 : place.gone ? 404 : 200;
  expect(status, JSON.stringify(body)).toBe(expected);
  if (status !== 200) return;
  if (enabled) integration.open.add(place);
  else integration.open.delete(place);
}
