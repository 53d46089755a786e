import { expect, it } from "vitest";
import type { ArchivedRecord, CollectionDefinition } from "../../core/index.ts";
import { type Deployment, joined, listening, prompts, rejectsWith } from "./records-deployment.ts";

interface Person {
  readonly first: string;
  readonly last: string;
}

const people: CollectionDefinition<{ readonly name: string }> = { name: "people", schemaVersion: 1, indexes: ["name"] };

const peopleOfToday: CollectionDefinition<Person> = {
  name: "people",
  schemaVersion: 2,
  indexes: ["last"],
  unique: [["last"]],
  upgrade({ name }, from) {
    if (from !== 1) throw new Error(`nobody wrote schema ${from}`);
    const [first = "", last = ""] = String(name).split(" ");
    return { first, last };
  },
};

/** What holds of every store while versions of the gateway follow each other, and of what processes tell each other. */
export function holdsTheRecordsContractOverTime(deployment: Deployment): void {
  schemas(deployment);
  changes(deployment);
  archives(deployment);
}

function schemas(deployment: Deployment): void {
  it("upgrades what the version before has written, and finds it by what is asked for today", async () => {
    const join = await deployment();
    const before = (await joined(join)).store.collection(people);
    for (let at = 0; at < 120; at++)
      await before.insert({ tenant: "t", id: `${at}`, document: { name: `Ada L${at}` } });
    const today = (await joined(join)).store.collection(peopleOfToday);
    expect(await today.get({ tenant: "t", id: "7" })).toMatchObject({
      version: 1,
      document: { first: "Ada", last: "L7" },
    });
    expect((await today.find({ where: { last: "L119" } })).records).toHaveLength(1);
    await rejectsWith("duplicate", today.insert({ tenant: "t", id: "x", document: { first: "B", last: "L7" } }));
    await today.update({ tenant: "t", id: "7", version: 1 }, { document: { first: "Ada", last: "King" } });
    expect(await today.count({ tenant: "t" })).toBe(120);
  });

  it("does not let an earlier version read or write what a later one has written", async () => {
    const join = await deployment();
    const before = (await joined(join)).store.collection(people);
    await before.insert({ tenant: "t", id: "a", document: { name: "Ada L" } });
    const today = (await joined(join)).store.collection(peopleOfToday);
    await today.get({ tenant: "t", id: "a" });
    await rejectsWith("schema", before.get({ tenant: "t", id: "a" }));
    await rejectsWith("schema", before.find({ tenant: "t" }));
    await rejectsWith("schema", before.update({ tenant: "t", id: "a", version: 1 }, { document: { name: "B" } }));
    const late = (await joined(join)).store.collection(people);
    await rejectsWith("schema", late.insert({ tenant: "t", id: "b", document: { name: "B" } }));
    expect(await today.get({ tenant: "t", id: "a" })).toMatchObject({ version: 1, document: { last: "L" } });
  });

  it("upgrades what an earlier version writes while both run", async () => {
    const join = await deployment();
    const before = (await joined(join)).store.collection(people);
    await before.count({});
    const { store } = await joined(join);
    const today = store.collection(peopleOfToday);
    await today.count({});
    await before.insert({ tenant: "t", id: "a", document: { name: "Ada L" } });
    expect(await today.get({ tenant: "t", id: "a" })).toMatchObject({ document: { last: "L" } });
    await store.tend();
    expect((await today.find({ where: { last: "L" } })).records).toHaveLength(1);
  });

  it("makes new indexes of the records that are there, without a new schema", async () => {
    const join = await deployment();
    const before = (await joined(join)).store.collection(people);
    for (const id of ["a", "b"]) await before.insert({ tenant: "t", id, document: { name: "Ada" } });
    const { store } = await joined(join);
    const unindexed = store.collection({ ...people, indexes: [] });
    await rejectsWith("invalid", unindexed.find({ where: { name: "Ada" } }));
    const indexed = (await joined(join)).store.collection({ ...people, indexes: ["name"], unique: [] });
    expect(await indexed.count({ where: { name: "Ada" } })).toBe(2);
    const unique = (await joined(join)).store.collection({ ...people, unique: [["name"]] });
    expect((await rejectsWith("duplicate", unique.count({}))).fields).toEqual(["name"]);
  });

  it("says which record cannot be upgraded", async () => {
    const join = await deployment();
    await (await joined(join)).store.collection(people).insert({ tenant: "t", id: "a", document: { name: "Ada" } });
    const noWay = (await joined(join)).store.collection({ name: "people", schemaVersion: 3 });
    expect((await rejectsWith("schema", noWay.get({ tenant: "t", id: "a" }))).message).toContain('people "a" of "t"');
    const failing = (await joined(join)).store.collection({
      ...peopleOfToday,
      schemaVersion: 3,
      upgrade: () => broken(),
    });
    expect(await rejectsWith("schema", failing.count({}))).toMatchObject({ cause: { message: "broken" } });
  });
}

function broken(): never {
  throw new Error("broken");
}

function changes(deployment: Deployment): void {
  it("tells every process of every write, and of no other collection", async () => {
    const join = await deployment();
    const [first, second] = [(await joined(join)).store, (await joined(join)).store];
    const [one, other] = [first.collection(prompts), second.collection(prompts)];
    await first.collection(people).insert({ tenant: "t", id: "early", document: { name: "n" } });
    const own = listening((...to) => one.changes(...to));
    const others = listening((...to) => other.changes(...to));
    await Promise.all([one.count({}), other.count({})]);
    await one.insert({ tenant: "t", id: "a", document: {} });
    await first.collection(people).insert({ tenant: "t", id: "p", document: { name: "n" } });
    await other.update({ tenant: "t", id: "a", version: 1 }, { document: { name: "n" } });
    await one.remove({ tenant: "t", id: "a" });
    await one.insert({ tenant: "t", id: "end", document: {} });
    for (const { heard } of [own, others]) {
      await expect.poll(() => heard, { interval: 5, timeout: 10_000 }).toContain("written prompts t/end");
      // Of writes that follow closely, the first ones may go untold: what counts is how it ends.
      expect(heard).toContain("removed prompts t/a");
      expect(heard.filter((line) => !/ prompts t\/(a|end)$/.test(line))).toEqual([]);
      const at = (line: string) => heard.lastIndexOf(line);
      expect(at("removed prompts t/a")).toBeGreaterThan(at("written prompts t/a"));
    }
    own.stop();
    own.stop();
    await other.insert({ tenant: "t", id: "after", document: {} });
    await expect.poll(() => others.heard, { interval: 5, timeout: 10_000 }).toContain("written prompts t/after");
    expect(own.heard).not.toContain("written prompts t/after");
  });

  it("tells whoever listened before reading of everything the read did not see", async () => {
    const join = await deployment();
    const writer = (await joined(join)).store.collection(prompts);
    await writer.count({});
    for (let round = 0; round < 5; round++) {
      const reader = (await joined(join)).store.collection(prompts);
      const { heard } = listening((...to) => reader.changes(...to));
      const written = writer.insert({ tenant: "t", id: `${round}`, document: {} });
      const found = await reader.get({ tenant: "t", id: `${round}` });
      await written;
      if (!found)
        await expect.poll(() => heard, { interval: 5, timeout: 10_000 }).toContain(`written prompts t/${round}`);
    }
  });
}

function archives(deployment: Deployment): void {
  it("shows everything there is, and takes it into another store as it was", async () => {
    const [from, to] = [(await joined(await deployment())).store, (await joined(await deployment())).store];
    const one = from.collection(prompts);
    const expiresAt = Date.now() + 3_600_000;
    for (let at = 0; at < 105; at++)
      await one.insert({ tenant: `t${at % 3}`, id: `${at}`, document: { slug: `s${at}` }, expiresAt });
    await one.update({ tenant: "t0", id: "0", version: 1 }, { document: { slug: "new", status: "on" } });
    await from.collection(people).insert({ tenant: "t", id: "a", document: { name: "Ada L" } });
    const everything = async ({ archive }: typeof from) => {
      const found: [string, ArchivedRecord][] = [];
      for (const { name } of await archive.collections())
        for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
          const page = await archive.page(name, after);
          found.push(...page.records.map((record): [string, ArchivedRecord] => [name, record]));
          after = page.next;
        }
      return found;
    };
    const all = await everything(from);
    expect(all).toHaveLength(106);
    for (const shape of await from.archive.collections()) await to.archive.declare(shape);
    for (const [name, record] of all) await to.archive.put(name, record);
    expect(await everything(to)).toEqual(all);
    expect(await to.archive.collections()).toEqual(await from.archive.collections());
    const there = to.collection(prompts);
    expect((await there.find({ where: { status: "on" } })).records).toMatchObject([{ id: "0", version: 2, expiresAt }]);
    await rejectsWith("duplicate", there.insert({ tenant: "t0", id: "x", document: { slug: "new" } }));
    expect(await to.collection(peopleOfToday).get({ tenant: "t", id: "a" })).toMatchObject({ document: { last: "L" } });
  });

  it("writes over a record only when told its version", async () => {
    const { store } = await joined(await deployment());
    const one = store.collection(prompts);
    await one.insert({ tenant: "t", id: "a", document: { slug: "s" } });
    const record = await store.archive.get("prompts", { tenant: "t", id: "a" });
    if (!record) throw new Error("it is not there");
    await rejectsWith("exists", store.archive.put("prompts", record));
    await rejectsWith("conflict", store.archive.put("prompts", record, 2));
    await store.archive.put("prompts", { ...record, document: { slug: "other" } }, 1);
    expect(await one.get({ tenant: "t", id: "a" })).toMatchObject({ version: 2, document: { slug: "other" } });
    await rejectsWith("invalid", store.archive.put("unknown", record));
    await rejectsWith("invalid", store.archive.put("prompts", { ...record, id: "" }));
    await rejectsWith("schema", store.archive.put("prompts", { ...record, id: "b", schemaVersion: 2 }));
  });
}
