import type { Answered } from "../../support/management.ts";
import type { Kind, KindName, Link } from "./kinds.ts";
import { isGone, type Place, type Thing, type Who } from "./model.ts";
import { at, type World } from "./world.ts";

/** What a body says of other things. */
export interface Named {
  readonly body: object;
  readonly shows: Record<string, unknown>;
  readonly links: readonly (readonly [KindName, Thing])[];
  /** What naming something that is not there comes to. */
  readonly wrong: number | undefined;
}

/** What something in a place names, as chance has it; undefined where there is nothing to be named that it needs. */
export function named(world: World, kind: Kind, place: Place | undefined, chance: number): Named | undefined {
  let found: Named = { body: {}, shows: {}, links: [], wrong: undefined };
  for (const [name, link] of Object.entries(kind.links ?? {}) as [KindName, Link][]) {
    if (!link.needed && chance % 3 === 0) continue;
    const all = world.of(name);
    const near = all.filter((one) => world.canName(one, place));
    const target = at(chance % 4 === 0 || near.length === 0 ? all : near, chance >> 2);
    if (target) found = naming(found, { world, link, name, place, target }, chance);
    else if (link.needed) return undefined;
  }
  return found;
}

function naming(
  { body, shows, links, wrong }: Named,
  given: {
    readonly world: World;
    readonly link: Link;
    readonly name: KindName;
    readonly place: Place | undefined;
    readonly target: Thing;
  },
  chance: number,
): Named {
  const { world, link, name, place, target: chosen } = given;
  // A slug of one that is not to be seen may be that of one that is.
  const twin = world.of(name).find((one) => one.slug === chosen.slug && world.canName(one, place));
  const target = link.by === "slug" && !world.canName(chosen, place) && twin ? twin : chosen;
  const by = link.by ?? (chance % 2 && target.slug !== undefined && place ? "slug" : "id");
  const ref = by === "id" ? target.id : (target.slug ?? "");
  return {
    body: { ...body, ...link.write(ref) },
    shows: { ...shows, ...shownLink(name, target) },
    links: [...links, [name, target]],
    wrong: wrong ?? (world.canName(target, place) ? undefined : link.unknown),
  };
}

const shownLink = (name: KindName, { id, slug }: Thing): Record<string, unknown> => {
  if (name === "integrations") return { integration_id: slug };
  if (name === "collections") return { collection_id: id };
  return {};
};

/** Another thing in the place of one that is named. */
export function relink(world: World, { kind, place }: Thing, chance: number): Named | undefined {
  const links = Object.entries(kind.links ?? {}).filter(([, { changes }]) => changes) as [KindName, Link][];
  const [name, link] = at(links, chance) ?? [];
  const target = name && at(world.of(name), chance >> 2);
  if (!link || !target) return undefined;
  const nothing = { body: {}, shows: {}, links: [], wrong: undefined };
  return naming(nothing, { world, link, name, place, target }, chance);
}

/** Whether somebody has a slug, or had it: it is never given again. */
export const isTaken = (world: World, kind: Kind, place: Place | undefined, slug: string): boolean =>
  world.of(kind.name).some((one) => one.slug === slug && (kind.slug?.within === "organisation" || one.place === place));

/** Whether another one that is there has a name of which there is one. */
export const isNameTaken = (world: World, kind: Kind, place: Place | undefined, name: string, own?: Thing): boolean =>
  kind.uniqueName === true &&
  world.of(kind.name).some((one) => one !== own && one.place === place && one.name === name && !isGone(one));

export const about = (who: Who, kind: Kind, body: object, { status, body: said }: Answered): string =>
  `${who.name} ${kind.name} ${JSON.stringify(body)}: ${status} ${JSON.stringify(said)}`;
