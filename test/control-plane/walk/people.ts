import { expect } from "vitest";
import { kinds } from "./kinds.ts";
import { isGone, type Place, type Role, type User } from "./model.ts";
import { at, type Draw, fine, type World } from "./world.ts";

const roles: readonly Role[] = ["admin", "manager", "member"];
const addresses = ["Ann@Example.org", "ann@example.org", "bob@example.org", "o'c@example.org", "d+tag@example.org"];

/** Invites somebody, and has them accept, or takes the invite back; each is done once only. */
export async function invite(world: World, { a, b, c, d }: Draw): Promise<void> {
  const { call } = world.admin;
  const email = at(addresses, a) ?? "";
  const place = at(world.places, b);
  const role = c % 4 === 0 ? "admin" : "member";
  const own = at(roles, c >> 2) as Role;
  const workspaces = place && d % 3 ? [{ id: d % 2 ? place.slug : place.uuid, role: own }] : [];
  const isMember = world.users.some((user) => !user.gone && user.email === email.toLowerCase());
  const made = await call("POST", "/admin/users/invites", { email, role, workspaces });
  const expected = workspaces.length > 0 && place?.gone ? 404 : isMember ? 409 : 200;
  expect(made.status, JSON.stringify(made.body)).toBe(expected);
  if (expected !== 200) return;
  const { id, invite_link } = made.body;
  const path = `/admin/users/invites/${id}`;
  expect(
    (await call("POST", "/admin/users/invites", { email: email.toUpperCase(), role, workspaces: [] })).status,
  ).toBe(409);
  const token = invite_link.split("/invites/")[1];
  const anyone = world.watched((method, of, body) => call(method, of, body, { "x-test-principal": "" }));
  expect((await anyone("POST", `${path}/accept`, { token: `${token}x` })).status).toBe(401);
  if (d % 5 === 0) {
    expect((await call("DELETE", path)).status).toBe(200);
    expect((await call("DELETE", path)).status).toBe(400);
    expect((await anyone("POST", `${path}/accept`, { token })).status).toBe(400);
    expect((await call("GET", path)).body).toMatchObject({ status: "cancelled", email: email.toLowerCase() });
    return;
  }
  const both = await Promise.all([1, 2].map(() => anyone("POST", `${path}/accept`, { token, first_name: "A" })));
  const accepted = both.filter(({ status }) => status === 200);
  expect(accepted.length, JSON.stringify(both.map(({ body }) => body))).toBe(1);
  const user: User = {
    id: accepted[0]?.body.user_id,
    email: email.toLowerCase(),
    role,
    roles: new Map(workspaces.length > 0 && place ? [[place, own]] : []),
    gone: false,
  };
  world.users.push(user);
}

/** Changes or deletes somebody. */
export async function editUser(world: World, user: User, { a, b }: Draw): Promise<void> {
  const path = `/admin/users/${user.id}`;
  const removes = b % 3 === 0;
  const who = a % 4 === 0 && world.places[0] ? world.service(world.places[0]) : world.admin;
  const role = b % 2 ? "member" : "admin";
  const { status } = removes ? await who.call("DELETE", path) : await who.call("PUT", path, { role });
  expect(status).toBe(who.place ? 403 : user.gone ? 404 : 200);
  if (status !== 200) return;
  if (removes) user.gone = true;
  else user.role = role;
  if (removes) user.roles.clear();
  for (const place of world.places)
    if (removes || (role === "member" && !user.roles.has(place))) forget(world, user, place);
}

/** Keys of somebody who is not in a workspace any more. */
export function forget(world: World, user: User, place: Place): void {
  for (const key of world.of("userKeys")) if (key.user === user && key.place === place) key.gone = true;
}

/** Takes somebody into a workspace, gives them another role there, or takes them out. */
export async function editMember(world: World, { a, b, c }: Draw): Promise<void> {
  const place = at(world.places, a);
  const user = at(world.users, b);
  if (!place || !user) return;
  const acting = at(
    world.users.filter(({ gone }) => !gone),
    c >> 3,
  );
  const who = [world.admin, world.service(place), acting && world.person(acting, place)][c % 3] ?? world.admin;
  const role = at(roles, b >> 3) as Role;
  const path = `/admin/workspaces/${place.slug}/users`;
  const what = at(["POST", "PUT", "DELETE"] as const, a >> 3) ?? "POST";
  const body = what === "POST" ? { users: [{ id: user.id, role }] } : what === "PUT" ? { role } : undefined;
  const { status, body: said } = await who.call(what, what === "POST" ? path : `${path}/${user.id}`, body);
  const unknown = what === "POST" ? user.gone : !user.roles.has(place);
  const above = what !== "DELETE" && role === "admin" && who.role === "manager";
  const denied = (place.gone && who.place) || who.role === "member" ? 403 : undefined;
  const expected = denied ?? (place.gone || unknown ? 404 : above ? 403 : 200);
  expect(status, `${who.name} ${what} ${JSON.stringify(body)}: ${JSON.stringify(said)}`).toBe(expected);
  if (status !== 200) return;
  if (what !== "DELETE") user.roles.set(place, role);
  else {
    user.roles.delete(place);
    forget(world, user, place);
  }
}

/** People are listed once, in the workspaces they are in, and nowhere else. */
export async function lookAtPeople(world: World): Promise<void> {
  const { call } = world.admin;
  const there = world.users.filter(({ gone }) => !gone);
  const { total, data } = (await fine(call("GET", "/admin/users?pageSize=500"))).body;
  expect(total).toBe(data.length);
  expect(data.map(({ id }: User) => id).sort()).toEqual(there.map(({ id }) => id).sort());
  for (const { id, email, role, roles: own } of there) {
    const { body } = await fine(call("GET", `/admin/users/${id}`));
    expect(body).toMatchObject({ email, role });
    const places = world.places.filter((place) => !place.gone && (role === "admin" || own.has(place)));
    expect([...body.workspace_ids].sort()).toEqual(places.map(({ slug }) => slug).sort());
  }
  for (const place of world.places) {
    if (place.gone) continue;
    const rows = (await fine(call("GET", `/admin/workspaces/${place.uuid}/users`))).body;
    const inside = there.filter((user) => user.roles.has(place));
    expect(rows.total).toBe(inside.length);
    const shown = rows.data.map(({ id, role }: { id: string; role: Role }) => `${id} ${role}`);
    expect(shown.sort()).toEqual(inside.map((user) => `${user.id} ${user.roles.get(place)}`).sort());
  }
}

/** Exchanges the value of a key: two are good at most. */
export async function rotate(world: World, { a, b }: Draw): Promise<void> {
  const key = at([...world.of("keys"), ...world.of("userKeys")], a);
  if (!key) return;
  const who = b % 2 && key.place ? world.service(key.place) : world.admin;
  const { status, body } = await who.call("POST", `${kinds.keys.path}/${key.id}/rotate`, {});
  expect(status).toBe(isGone(key) ? 403 : key.values.length > 1 ? 409 : 200);
  if (status !== 200) return;
  world.told(key, body.key);
}
