import type { Caller } from "../../support/management.ts";
import type { Kind, KindName } from "./kinds.ts";

export type Role = "admin" | "manager" | "member";

/** A workspace. */
export interface Place {
  readonly uuid: string;
  readonly slug: string;
  name: string;
  gone: boolean;
  /** Things it has as a default, which stay as long as it has. */
  readonly defaults: { config?: Thing | undefined; guardrail?: Thing | undefined };
}

/** Something that was made, as it is to be shown. */
export interface Thing {
  readonly kind: Kind;
  readonly id: string;
  readonly slug: string | undefined;
  /** Undefined is the organisation's. */
  readonly place: Place | undefined;
  name: string;
  /** Fields that reads show. */
  shows: Record<string, unknown>;
  gone: boolean;
  /** What it names. */
  readonly links: Map<KindName, Thing>;
  /** Of an integration: the workspaces it is open to. */
  readonly open: Set<Place>;
  /** Of a key: values that let in, and whose it is. */
  readonly values: string[];
  readonly user?: User;
}

export interface User {
  readonly id: string;
  readonly email: string;
  role: "admin" | "member";
  readonly roles: Map<Place, Role>;
  gone: boolean;
}

/** Somebody who calls. */
export interface Who {
  readonly name: string;
  readonly call: Caller;
  /** Undefined is the whole organisation. */
  readonly place?: Place;
  /** Of a person. */
  readonly role?: Role;
  /** Of another organisation. */
  readonly foreign?: true;
}

/** A thing of a workspace that was deleted is gone with it. */
export const isGone = ({ gone, place }: Thing): boolean => gone || place?.gone === true;

/** What keeps a person from asking at all, before it is looked for what they ask about. */
export function deniedTo({ place, role, foreign }: Who, kind: Kind, writes: boolean): 403 | undefined {
  if (place?.gone) return 403;
  if (kind.owner === "organisation" && place) return 403;
  if (foreign || role === undefined) return undefined;
  return kind.name === "keys" || kind.name === "userKeys" || (writes && role === "member") ? 403 : undefined;
}

/** What asking for one comes to. */
export function statusOf(who: Who, thing: Thing, writes: boolean): number {
  const denied = deniedTo(who, thing.kind, writes);
  if (denied) return denied;
  if (who.foreign || isGone(thing)) return thing.kind.unseen;
  if (!who.place || thing.place === who.place) return 200;
  if (thing.place !== undefined) return thing.kind.unseen;
  if (thing.kind.name === "guardrails") return writes ? 403 : 200;
  return thing.open.has(who.place) ? 403 : thing.kind.unseen;
}

/** Whether a list of a workspace has it. */
export const isListedIn = (thing: Thing, place: Place): boolean =>
  !isGone(thing) &&
  (thing.place === place || (thing.place === undefined && (thing.kind.name === "guardrails" || thing.open.has(place))));
