import { expect } from "vitest";
import { isGone, type Place, statusOf, type Thing } from "./model.ts";
import type { Draw, World } from "./world.ts";

/** Deletes one, or is refused as it has to be. */
export async function remove(world: World, thing: Thing, { a, b }: Draw): Promise<void> {
  const who = world.asking(a, thing.place);
  const allowed = statusOf(who, thing, true);
  const expected = allowed === 200 ? staying(world, thing) : allowed;
  const { status, body } = await who.call("DELETE", world.path(thing, b, who));
  expect(status, `${who.name} deletes ${thing.kind.name} ${thing.id}: ${JSON.stringify(body)}`).toBe(expected);
  if (status === 200) removed(world, thing);
}

/** What deleting one comes to that may be seen (control-plane.md section 1.7). */
export function staying(world: World, thing: Thing): number {
  const { kind, shows } = thing;
  if (shows.is_default === true) return 404;
  const naming = world.things.filter((one) => !isGone(one) && one.links.get(kind.name) === thing);
  const kept = { configs: ["keys", "userKeys"], secrets: ["integrations"] }[kind.name as string] ?? [];
  if (naming.some((one) => kept.includes(one.kind.name))) return 400;
  const isDefault = ({ gone, defaults }: Place) => !gone && (defaults.config === thing || defaults.guardrail === thing);
  return world.places.some(isDefault) ? 400 : 200;
}

/** What goes with one, and what becomes of what was in it. */
export function removed(world: World, thing: Thing): void {
  if (thing.gone) return;
  thing.gone = true;
  const { kind, place } = thing;
  const naming = world.things.filter((one) => !one.gone && one.links.get(kind.name) === thing);
  if (kind.name === "collections") {
    const usual = world.of("collections").find((one) => one.place === place && one.shows.is_default);
    for (const one of naming)
      if (usual) {
        one.links.set("collections", usual);
        one.shows.collection_id = usual.id;
      }
  }
  if (kind.name === "integrations") for (const one of naming) removed(world, one);
  const provider = kind.name === "virtualKeys" ? thing.links.get("providers") : undefined;
  const integration = provider?.links.get("integrations");
  if (integration) removed(world, integration);
  const virtual = kind.name === "providers" ? thing.links.get("virtualKeys") : undefined;
  const under = virtual && thing.links.get("integrations");
  if (!virtual || !under) return;
  virtual.gone = true;
  if (!world.of("providers").some((one) => !one.gone && one.links.get("integrations") === under)) removed(world, under);
}
