import { expect } from "vitest";
import { grantableScopes } from "../../../core/index.ts";
import type { Answered, Caller, TestManagement } from "../../support/management.ts";
import { type Kind, type KindName, kinds } from "./kinds.ts";
import { isGone, isListedIn, type Place, type Thing, type User, type Who } from "./model.ts";

/** Numbers that decide what one step does. */
export interface Draw {
  readonly what: string;
  readonly kind: KindName;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

export const at = <One>(all: readonly One[], chance: number): One | undefined => all[chance % Math.max(1, all.length)];

const scopesOf = (kind: "workspace-service" | "workspace-user") => [...grantableScopes(kind)];

/** An organisation of a running gateway, and the model of it. */
export class World {
  readonly organisation = crypto.randomUUID();
  readonly things: Thing[] = [];
  readonly places: Place[] = [];
  readonly users: User[] = [];
  readonly ids = new Set<string>();
  readonly vendor: string;
  readonly #secrets: string[] = [];
  readonly #management: () => Pick<TestManagement, "as" | "gateway">;
  readonly #others: readonly Who[];

  constructor(management: () => Pick<TestManagement, "as" | "gateway">, others: readonly Who[], vendor: string) {
    this.#management = management;
    this.#others = others;
    this.vendor = vendor;
  }

  get admin(): Who {
    return { name: "admin", call: this.#as({}) };
  }

  readonly secret = (): string => {
    const secret = `sk-${crypto.randomUUID()}`;
    this.#secrets.push(secret);
    return secret;
  };

  /** A value of a key is told once, and never again. */
  told(key: Thing, value: string): void {
    key.values.push(value);
    this.#secrets.push(value);
  }

  get url(): string {
    return this.#management().gateway.url;
  }

  #as(principal: Parameters<TestManagement["as"]>[0]): Caller {
    return this.watched((...asked) =>
      this.#management().as({ organisation: this.organisation, ...principal })(...asked),
    );
  }

  /** What holds whatever is asked: nothing fails, errors say their code twice, and no secret is shown. */
  watched(call: Caller): Caller {
    return async (method, path, body, headers) => {
      const answered = await call(method, path, body, headers);
      const about = `${method} ${path} ${JSON.stringify(body)}: ${answered.status} ${JSON.stringify(answered.body)}`;
      expect([200, 400, 401, 402, 403, 404, 409], about).toContain(answered.status);
      const { status, body: said } = answered;
      if (status !== 200) expect(said.data.errorCode, about).toBe(said.error.code);
      const text = JSON.stringify(said);
      for (const secret of this.#secrets) expect(text.includes(secret), about).toBe(false);
      return answered;
    };
  }

  service(place: Place): Who {
    const call = this.#as({ id: "service", workspace: place.uuid, scopes: scopesOf("workspace-service") });
    return { name: "service", call, place };
  }

  person(user: User, place: Place): Who {
    const role = user.role === "admin" ? "admin" : (user.roles.get(place) ?? "member");
    const principal = { id: user.id, user: user.id, workspace: place.uuid, scopes: scopesOf("workspace-user") };
    return { name: `person ${role}`, call: this.#as(principal), place, role };
  }

  /** Everybody who may ask about something of a workspace, or about something of the organisation. */
  asking(chance: number, place = at(this.places, chance >> 3)): Who {
    const people = this.users.filter((user) => !user.gone);
    const user = at(people, chance >> 5);
    const anywhere = at(this.places, chance >> 4);
    const all: (Who | undefined)[] = [
      this.admin,
      place && this.service(place),
      place && user && this.person(user, place),
      this.admin,
      anywhere && this.service(anywhere),
      anywhere && user && this.person(user, anywhere),
      at(this.#others, chance >> 3),
    ];
    return all[chance % all.length] ?? this.admin;
  }

  of(kind: KindName): Thing[] {
    return this.things.filter((thing) => thing.kind.name === kind);
  }

  /** Whether something may be named by what is in a place; undefined is of the organisation. */
  canName(target: Thing, place: Place | undefined): boolean {
    if (isGone(target)) return false;
    if (target.kind.owner === "organisation") return true;
    return place !== undefined && isListedIn(target, place);
  }

  /** The path of one, by its id or by its slug. */
  path(thing: Thing, chance: number, who: Who): string {
    const { kind, slug, id, place } = thing;
    // Of another workspace the same slug may be somebody else's.
    if (chance % 2 === 0 || slug === undefined || place?.gone || (who.place && who.place !== place))
      return `${kind.path}/${id}`;
    const within = ["providers", "virtualKeys", "collections"].includes(kind.name);
    const where = within && !who.place && !who.foreign ? `?workspace_id=${place?.uuid}` : "";
    return `${kind.path}/${slug}${where}`;
  }

  /** Remembers one that was made; its id is nobody else's, and its slug nobody else's where that has to be so. */
  add(made: Pick<Thing, "kind" | "id" | "slug" | "place" | "name" | "shows"> & Partial<Thing>): Thing {
    const { kind, slug, place } = made;
    const own = kind.name !== "virtualKeys";
    if (own) expect(this.ids, "its id is its own").not.toContain(made.id);
    this.ids.add(made.id);
    const alike = this.things.filter(
      (one) =>
        one.kind.name === kind.name &&
        one.slug !== undefined &&
        one.slug === slug &&
        (one.place === place || !["providers", "virtualKeys", "collections"].includes(kind.name)),
    );
    expect(alike.map(({ id }) => id)).toEqual([]);
    const thing = { gone: false, links: new Map(), open: new Set(), values: [], ...made };
    this.things.push(thing as Thing);
    return thing as Thing;
  }

  async newPlace(name: string): Promise<Place> {
    const { uuid, slug } = (await fine(this.admin.call("POST", "/admin/workspaces", { name }))).body;
    const place: Place = { uuid, slug, name, gone: false, defaults: {} };
    this.places.push(place);
    const { data } = (await fine(this.admin.call("GET", `/collections?workspace_id=${slug}`))).body;
    const [{ id, slug: own, name: called }] = data;
    this.add({ kind: kinds.collections, id, slug: own, place, name: called, shows: { is_default: true } });
    return place;
  }
}

export async function fine(answering: Promise<Answered>): Promise<Answered> {
  const answered = await answering;
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  return answered;
}

export const dataOf = ({ name }: Kind, body: { data?: object }) => (name === "configs" ? body.data : body);
