import { expect } from "vitest";
import { nameOf, wrongNames } from "./kinds.ts";
import { statusOf, type Thing } from "./model.ts";
import { about, isNameTaken, relink } from "./naming.ts";
import { at, type Draw, type World } from "./world.ts";

/** Changes one, or is refused as it has to be. */
export async function edit(world: World, thing: Thing, { a, b, c, d }: Draw): Promise<void> {
  const { kind, place } = thing;
  const who = world.asking(a, place);
  const wrongName = d % 11 === 0 && !kind.nameless;
  const renamed = !kind.nameless && (wrongName || b % 3 === 0 || kind.name === "collections");
  const name = nameOf(kind, d >> 1);
  const relinked = renamed || b % 2 ? undefined : relink(world, thing, c);
  const change = renamed || relinked ? undefined : at(kind.changes, c)?.(c % 100, world.secret);
  const body = {
    ...(renamed && { name: wrongName ? at(wrongNames, d >> 3) : name }),
    ...change?.sent,
    ...relinked?.body,
  };
  if (Object.keys(body).length === 0) return;
  const allowed = statusOf(who, thing, true);
  const twin = renamed && isNameTaken(world, kind, place, name, thing) ? 409 : undefined;
  const expected = allowed !== 200 ? allowed : ((wrongName ? 400 : undefined) ?? relinked?.wrong ?? twin ?? 200);
  const answered = await who.call("PUT", world.path(thing, b, who), body);
  expect(answered.status, about(who, kind, body, answered)).toBe(expected);
  if (expected !== 200) return;
  if (renamed) rename(thing, name);
  Object.assign(thing.shows, change?.shows, relinked?.shows);
  const other = thing.links.get(kind.name === "providers" ? "virtualKeys" : "providers");
  if (other && kind.name !== "configs" && kind.name !== "prompts" && "note" in thing.shows)
    other.shows.note = thing.shows.note;
  for (const [link, target] of relinked?.links ?? []) thing.links.set(link, target);
}

/** A virtual key has the name and the note of its provider, and gives its name to its integration, too. */
function rename(thing: Thing, name: string): void {
  thing.name = name;
  const virtual = thing.links.get("virtualKeys");
  if (virtual) virtual.name = name;
  if (thing.kind.name !== "virtualKeys") return;
  const provider = thing.links.get("providers");
  const integration = provider?.links.get("integrations");
  if (provider) provider.name = name;
  if (integration) integration.name = name;
}
