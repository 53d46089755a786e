import { expect } from "vitest";
import type { Answered, Caller } from "../support/management.ts";
import {
  type Config,
  type Installation,
  labels,
  type Place,
  type Prompt,
  pathOf,
  paths,
  type Thing,
  unseen,
  type Version,
} from "./record-things.ts";

/** Makes, changes, deletes and lists; after each step what there is is what the model says. */
export class World {
  readonly #installation: Installation;
  readonly things: Thing[] = [];
  readonly gone: Thing[] = [];
  #count = 0;

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  #place(at: number): Place {
    return this.#installation.places[at] as Place;
  }

  async make(kind: Thing["kind"], at: number, byAdmin: boolean) {
    const place = this.#place(at);
    const call = byAdmin ? this.#installation.admin : place.member;
    const name = `${kind} ${this.#count++}`;
    const where = byAdmin ? { workspace_id: place.uuid } : {};
    if (kind === "prompt") {
      const body = {
        name,
        collection_id: place.collection,
        string: "v1",
        parameters: {},
        virtual_key: "simulator",
        model: "m1",
      };
      const { id, slug, version_id } = (await fine(call("POST", "/prompts", body))).body;
      this.things.push({
        kind,
        id,
        slug,
        at,
        name,
        published: 1,
        versions: [{ id: version_id, string: "v1", model: "m1", labels: [] }],
      });
    } else if (kind === "config") {
      const config = { provider: "simulator", override_params: { tag: 0 } };
      const { id, slug, version_id } = (await fine(call("POST", "/configs", { name, config, ...where }))).body.data;
      this.things.push({
        kind,
        id,
        slug,
        at,
        name,
        isDefault: false,
        active: true,
        versions: [{ id: version_id, provider: "simulator", tag: 0 }],
      });
    } else {
      const scopes = ["completions.write", "logs.view"];
      const { id, key } = (await fine(call("POST", "/api-keys/workspace/service", { name, scopes, ...where }))).body;
      this.things.push({ kind, id, slug: id, at, name, scopes, values: [key] });
    }
  }

  async change(thing: Thing, how: number, value: number, call: Caller) {
    const put = (body: object, more = "") => call("PUT", `${pathOf(thing)}${more}`, body);
    if (thing.kind === "prompt") return this.#changePrompt(thing, how, value, put);
    if (thing.kind === "config") return this.#changeConfig(thing, how, value, put);
    if (how % 3 === 0) {
      thing.name = `renamed ${this.#count++}`;
      await fine(put({ name: thing.name }));
    } else if (how % 3 === 1) {
      thing.scopes = value % 2 ? ["logs.view"] : ["completions.write", "logs.view"];
      await fine(put({ scopes: thing.scopes }));
    } else {
      const { status, body } = await call("POST", `${pathOf(thing)}/rotate`, {});
      expect(status).toBe(thing.values.length === 1 ? 200 : 409);
      if (status === 200) thing.values.push(body.key);
    }
  }

  async #changePrompt(
    thing: Prompt,
    how: number,
    value: number,
    put: (body: object, more?: string) => Promise<Answered>,
  ) {
    const { versions } = thing;
    const latest = versions.at(-1) as Version;
    const add = async (body: object, next: Pick<Version, "string" | "model">) => {
      const { prompt_version_id: id } = (await fine(put(body))).body;
      expect(versions.map((one) => one.id)).not.toContain(id);
      versions.push({ ...next, id, labels: [] });
    };
    const string = `v${this.#count++}`;
    if (how === 0) await add({ patch: true, string }, { string, model: latest.model });
    else if (how === 1) await add({ patch: true, model: string }, { string: latest.string, model: string });
    else if (how === 2) await add({ string, parameters: {}, model: "m2" }, { string, model: "m2" });
    else if (how === 3) {
      thing.name = `renamed ${this.#count++}`;
      const { prompt_version_id } = (await fine(put({ name: thing.name, ...(value % 2 && { patch: true }) }))).body;
      expect(prompt_version_id).toBe(latest.id);
    } else if (how === 4) {
      const version = 1 + (value % (versions.length + 1));
      expect((await put({ version }, "/makeDefault")).status).toBe(version > versions.length ? 404 : 200);
      if (version <= versions.length) thing.published = version;
    } else {
      const version = versions[value % versions.length] as Version;
      const label = [...labels, null][how % 3] ?? null;
      await fine(put({ label_id: label && this.#installation.labelIds[label] }, `/versions/${version.id}`));
      for (const one of label ? versions : [version])
        one.labels = label ? one.labels.filter((had) => had !== label) : [];
      if (label) version.labels.push(label);
    }
  }

  async #changeConfig(
    thing: Config,
    how: number,
    value: number,
    put: (body: object, more?: string) => Promise<Answered>,
  ) {
    const latest = thing.versions.at(-1) as Config["versions"][number];
    if (how <= 1) {
      const tag = value % 3;
      const { version_id } = (await fine(put({ config: { provider: "simulator", override_params: { tag } } }))).body
        .data;
      if (tag === latest.tag) expect(version_id).toBe(latest.id);
      else thing.versions.push({ id: version_id, provider: "simulator", tag });
    } else if (how === 2) {
      thing.name = `renamed ${this.#count++}`;
      expect((await fine(put({ name: thing.name }))).body.data.version_id).toBe(latest.id);
    } else if (how === 3) {
      thing.isDefault = value % 2 === 1;
      await fine(put({ isDefault: value % 2 }));
      if (thing.isDefault)
        for (const one of this.things)
          if (one !== thing && one.kind === "config" && one.at === thing.at) one.isDefault = false;
    } else {
      thing.active = value % 2 === 1;
      await fine(put({ status: thing.active ? "active" : "archived" }));
    }
  }

  async remove(thing: Thing, call: Caller) {
    await fine(call("DELETE", pathOf(thing)));
    this.things.splice(this.things.indexOf(thing), 1);
    this.gone.push(thing);
  }

  async look(thing: Thing) {
    const { member } = this.#place(thing.at);
    const other = this.#place(1 - thing.at).member;
    expect((await other("GET", pathOf(thing))).status).toBe(unseen[thing.kind]);
    const ref = thing.kind === "key" ? thing.id : thing.slug;
    const { body } = await fine(member("GET", pathOf({ ...thing, id: ref })));
    if (thing.kind === "prompt") return this.#lookAtPrompt(thing, body, member);
    if (thing.kind === "config") {
      const last = thing.versions.at(-1);
      const { config, ...summary } = body.data;
      expect(config).toEqual({ provider: "simulator", override_params: { tag: last?.tag } });
      expect(summary).toMatchObject({
        id: thing.id,
        name: thing.name,
        is_default: thing.isDefault ? 1 : 0,
        status: thing.active ? "active" : "archived",
      });
      const versions = (await fine(member("GET", `${pathOf(thing)}/versions`))).body;
      expect(versions.total).toBe(thing.versions.length);
      expect(versions.data.map((one: { version_id: string }) => one.version_id)).toEqual(
        thing.versions.map(({ id }) => id).reverse(),
      );
      return;
    }
    expect(body).toMatchObject({ id: thing.id, name: thing.name, scopes: thing.scopes, status: "active" });
    for (const value of thing.values)
      expect((await this.#installation.whoami(value)).status).toBe(
        thing.scopes.includes("completions.write") ? 200 : 403,
      );
  }

  async #lookAtPrompt(thing: Prompt, body: object, member: Caller) {
    const shown = (number: number) => {
      const { id, string, model, labels: own } = thing.versions[number - 1] as Version;
      const status = number === thing.published ? "active" : "archived";
      return {
        ...{ id: thing.id, slug: thing.slug, name: thing.name, string, model },
        ...{ prompt_version: number, prompt_version_id: id, prompt_version_status: status },
        prompt_version_label_ids: expect.toSatisfy(
          isSame(own.map((label) => this.#installation.labelIds[label] ?? "")),
        ),
      };
    };
    const of = async (suffix: string) => member("GET", `/prompts/${thing.slug}@${suffix}`);
    expect(body).toMatchObject(shown(thing.published));
    expect((await of("latest")).body).toMatchObject(shown(thing.versions.length));
    expect((await of("1")).body).toMatchObject(shown(1));
    expect((await of(String(thing.versions.length + 1))).status).toBe(404);
    for (const label of labels) {
      const at = thing.versions.findIndex((one) => one.labels.includes(label));
      const { status, body: labelled } = await of(label);
      expect(status).toBe(at < 0 ? 404 : 200);
      if (at >= 0) expect(labelled).toMatchObject(shown(at + 1));
    }
    const { body: listed } = await fine(member("GET", `/prompts/${thing.id}/versions`));
    expect(listed.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
      thing.versions.map(({ id }, at) => [id, at + 1 === thing.published ? "active" : "archived"]).reverse(),
    );
  }

  /** Lists show what there is, to whoever may see it. */
  async lists() {
    const known = new Set([...this.things, ...this.gone].map(({ id }) => id));
    for (const kind of ["prompt", "config", "key"] as const)
      for (const [at, { member, uuid }] of this.#installation.places.entries())
        for (const call of [member, this.#installation.admin]) {
          const { data } = (await fine(call("GET", `${paths[kind]}?workspace_id=${uuid}`))).body;
          const shown = data.filter(({ id }: Thing) => known.has(id)).map(({ id, name }: Thing) => `${id} ${name}`);
          const mine = this.things.filter((one) => one.kind === kind && one.at === at);
          expect(shown.sort()).toEqual(mine.map(({ id, name }) => `${id} ${name}`).sort());
        }
  }

  /** What was deleted is nobody's. */
  async lookAtGone() {
    for (const thing of this.gone) {
      for (const method of ["GET", "DELETE"])
        expect((await this.#installation.admin(method, pathOf(thing))).status).toBe(unseen[thing.kind]);
      if (thing.kind !== "key") continue;
      for (const value of thing.values) expect((await this.#installation.whoami(value)).status).toBe(401);
    }
  }
}

const isSame = (wanted: readonly string[]) => (ids: readonly string[]) =>
  JSON.stringify([...ids].sort()) === JSON.stringify([...wanted].sort());

async function fine(answered: Promise<Answered>): Promise<Answered> {
  const got = await answered;
  expect(got, JSON.stringify(got.body)).toMatchObject({ status: 200 });
  return got;
}
