import { relative } from "node:path";
import { expect } from "vitest";
import { type Caller, folderOfFile, openManagement, wholeControlPlane } from "../../support/management.ts";
import type { Document } from "./applicability.ts";
import { at, isPlain } from "./places.ts";
import type { Making, Thing } from "./table.ts";

interface Workspace {
  /** The slug, as the API calls it. */
  readonly id: string;
  readonly uuid: string;
}

export type Place = "own" | "other";

/** A gateway with two workspaces. */
export interface World {
  readonly as: (principal: object) => Caller;
  readonly organisation: string;
  readonly workspaces: Readonly<Record<Place, Workspace>>;
  readonly things: Readonly<Record<string, Thing>>;
  /** What the gateway says of itself. */
  readonly document: Document;
  close(): Promise<void>;
}

export async function openWorld(things: World["things"]): Promise<World> {
  const folder = folderOfFile();
  const counters = new URL("../../../plugins/policy-records/testing.ts", import.meta.url).pathname;
  const { as, admin, organisation, workspace, close } = await openManagement(
    { ...wholeControlPlane, counters: { use: relative(folder, counters) } },
    { folder, providers: { simulator: {} } },
  );
  const { body: other } = await admin("POST", "/admin/workspaces", { name: "Other" });
  const own = { id: workspace.slug, uuid: workspace.id };
  const document: Document = (await as({})("GET", "/v1/../openapi.json")).body;
  return { as, organisation, workspaces: { own, other: { id: other.id, uuid: other.uuid } }, things, document, close };
}

let count = 0;

/** The records of one case: each is made when it is first named. */
export class Stage {
  readonly #world: World;
  readonly #made = new Map<string, Promise<unknown>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** A value with its `$names` replaced; `$other:name` is that of the other workspace, and `$n` a number of its own. */
  async filled<Value>(value: Value, place: Place = "own"): Promise<Value> {
    return (await this.#filled(value, place)) as Value;
  }

  async #filled(value: unknown, place: Place): Promise<unknown> {
    if (typeof value === "string") return this.#text(value, place);
    if (Array.isArray(value)) return Promise.all(value.map((one) => this.#filled(one, place)));
    if (!isPlain(value)) return value;
    const entries = Object.entries(value).map(async ([name, one]) => [name, await this.#filled(one, place)] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  async #text(text: string, place: Place): Promise<unknown> {
    const [, other, name, member] = token.exec(text) ?? [];
    if (name === undefined) return text.replace("$n", () => String(++count));
    const where = other ? "other" : place;
    if (name === "organisation") return this.#world.organisation;
    const ref = this.#world.things[name]?.ref ?? "id";
    const found = at(await this.#record(name, where), member ?? ref);
    if (found === undefined) throw new Error(`${text} has no ${member ?? ref}`);
    return found;
  }

  #record(name: string, place: Place): Promise<unknown> {
    const key = `${place}:${name}`;
    let made = this.#made.get(key);
    if (!made) {
      made = this.#make(name, place);
      this.#made.set(key, made);
    }
    return made;
  }

  async #make(name: string, place: Place): Promise<unknown> {
    const { workspaces, things, as } = this.#world;
    if (name === "workspace") return workspaces[place];
    const thing = things[name];
    if (!thing) throw new Error(`there is no thing "${name}"`);
    const caller = as(thing.by === "workspace" ? { workspace: workspaces[place].uuid } : {});
    const making: Making = {
      async call(method, path, body) {
        const { status, body: answer } = await caller(method, path, body);
        expect({ status, answer }, `${method} ${path} makes ${name}`).toMatchObject({ status: 200 });
        return answer;
      },
      filled: (value) => this.filled(value, place),
    };
    if (typeof thing.make === "function") return thing.make(making);
    const [method = "", path = ""] = thing.make.split(" ");
    return making.call(method, path, await making.filled(thing.body));
  }
}

const token = /^\$(other:)?([a-zA-Z]{2,})(?:\.([\w.[\]]+))?$/;

/** The name of the record a text stands for. */
export const thingIn = (text: string): string | undefined => token.exec(text)?.[2];

/** The same record of the other workspace. */
export const elsewhere = (text: string): string => (thingIn(text) ? text.replace("$", "$other:") : text);
