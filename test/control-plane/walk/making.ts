import { expect } from "vitest";
import { type Kind, kinds, nameOf, wrongNames } from "./kinds.ts";
import { deniedTo, type Place, type Thing, type User, type Who } from "./model.ts";
import { about, isNameTaken, isTaken, type Named, named } from "./naming.ts";
import { at, type Draw, fine, type World } from "./world.ts";

/** What somebody asks to be made. */
interface Wish {
  readonly kind: Kind;
  readonly who: Who;
  readonly place: Place | undefined;
  readonly links: Named;
  /** Whose key it is to be. */
  readonly user: User | undefined;
  readonly name: string;
  readonly isMisnamed: boolean;
  /** One that is chosen. */
  readonly slug: string | undefined;
}

/** Undefined where there is nothing yet that it needs. */
function wish(world: World, { kind: ofKind, a, b, c, d }: Draw): Wish | undefined {
  const kind = kinds[ofKind];
  const ofAll = kind.owner === "organisation" || (kind.owner === "either" && a % 3 === 0);
  const wanted = ofAll ? undefined : at(world.places, a);
  const asking = world.asking(b, wanted);
  const who = asking.foreign ? world.admin : asking;
  const place = kind.owner === "organisation" ? undefined : (who.place ?? wanted);
  const links = named(world, kind, place, c);
  const near = world.users.filter((one) => place && one.roles.has(place));
  const user = kind.name === "userKeys" ? at(c % 3 && near.length > 0 ? near : world.users, c >> 1) : undefined;
  if (!links || (kind.name === "userKeys" && !user)) return undefined;
  const isMisnamed = d % 11 === 0 && !kind.nameless;
  const slug = kind.slug && c % 2 === 0 ? `${c % 3 ? "Slug" : "slug"}-${d % 3}` : undefined;
  return { kind, who, place, links, user, name: nameOf(kind, d >> 1), isMisnamed, slug };
}

const bodyOf = (world: World, { kind, who, place, links, user, name, isMisnamed, slug }: Wish, { c, d }: Draw) => ({
  ...(!kind.nameless && { name: isMisnamed ? at(wrongNames, d >> 3) : name }),
  ...kind.body(c % 100, world.secret, world.vendor),
  ...links.body,
  ...(slug !== undefined && { slug }),
  ...(user && { user_id: user.id }),
  ...(place && (!who.place || d % 2) && { workspace_id: d % 4 > 1 ? place.slug : place.uuid }),
  ...(kind.name === "guardrails" && !place && { organisation_id: world.organisation }),
});

/** The first thing that is wrong answers (control-plane.md section 1.5). */
function answerTo(world: World, { kind, who, place, links, user, name, isMisnamed, slug }: Wish): number {
  const isOut = user && (user.gone || (user.role === "member" && !(place && user.roles.has(place))));
  const taken = slug !== undefined && isTaken(world, kind, place, slug) ? kind.slug?.taken : undefined;
  return (
    deniedTo(who, kind, true) ??
    (isMisnamed ? 400 : undefined) ??
    (place?.gone || isOut ? 404 : undefined) ??
    links.wrong ??
    taken ??
    (isNameTaken(world, kind, place, name) ? 409 : 200)
  );
}

/** Makes one, or is refused as it has to be. */
export async function make(world: World, draw: Draw): Promise<void> {
  const wished = wish(world, draw);
  if (!wished) return;
  const { kind, who, place, links, user, name, slug } = wished;
  const body = bodyOf(world, wished, draw);
  const answered = await who.call("POST", kind.made ?? kind.path, body);
  expect(answered.status, about(who, kind, body, answered)).toBe(answerTo(world, wished));
  if (answered.status !== 200) return;
  const shows = { ...kind.shows(draw.c % 100), ...links.shows };
  const made = { kind, place, name: kind.nameless ? "" : name, shows };
  const { id, slug: own, key } = answered.body.data ?? answered.body;
  if (slug !== undefined) expect(own).toBe(slug);
  if (kind.name === "virtualKeys") return makeVirtual(world, made, own);
  const thing = world.add({ ...made, id, slug: own, ...(user && { user }) });
  for (const [link, target] of links.links) thing.links.set(link, target);
  const usual = place?.defaults.config;
  if (user && usual && !thing.links.has("configs")) thing.links.set("configs", usual);
  if (key) world.told(thing, key);
}

/** A virtual key is a provider and an integration, too. */
async function makeVirtual(world: World, made: Pick<Thing, "kind" | "place" | "name" | "shows">, slug: string) {
  const where = `workspace_id=${made.place?.uuid}`;
  const read = async (path: string) => (await fine(world.admin.call("GET", `${path}/${slug}?${where}`))).body.id;
  const integration = { ...made, kind: kinds.integrations, id: await read("/integrations"), slug };
  const provider = { ...made, kind: kinds.providers, id: await read("/providers"), slug };
  const under = world.add({ ...integration, shows: kinds.integrations.shows(0) });
  const over = world.add({ ...provider, shows: { integration_id: slug } });
  const own = world.add({ ...made, id: await read("/virtual-keys"), slug });
  over.links.set("integrations", under);
  over.links.set("virtualKeys", own);
  own.links.set("providers", over);
}
