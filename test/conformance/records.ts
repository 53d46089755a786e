import { expect, it } from "vitest";
import { RecordError } from "../../core/index.ts";
import { type Deployment, prompts, rejectsWith, two } from "./records-deployment.ts";
import { answersQueries, letsRecordsExpire } from "./records-queries.ts";

/** What holds of every store of records. */
export function holdsTheRecordsContract(deployment: Deployment): void {
  singleRecords(deployment);
  uniqueValues(deployment);
  answersQueries(deployment);
  letsRecordsExpire(deployment);
  oddThings(deployment);
}

function singleRecords(deployment: Deployment): void {
  it("keeps a record for every process, with version and times", async () => {
    let time = Date.now();
    const { one, other } = await two(deployment, () => time);
    const made = await one.insert({ tenant: "t", id: "a", document: { slug: "s", text: { deep: [1, null, "ä"] } } });
    expect(made).toEqual({
      tenant: "t",
      id: "a",
      version: 1,
      createdAt: time,
      updatedAt: time,
      document: { slug: "s", text: { deep: [1, null, "ä"] } },
    });
    expect(await other.get({ tenant: "t", id: "a" })).toEqual(made);
    time += 1000;
    const changed = await other.update({ tenant: "t", id: "a", version: 1 }, { document: { slug: "s2" } });
    expect(changed).toEqual({ ...made, version: 2, updatedAt: time, document: { slug: "s2" } });
    expect(await one.get({ tenant: "t", id: "a" })).toEqual(changed);
    expect(await one.get({ tenant: "u", id: "a" })).toBeUndefined();
    expect(await one.remove({ tenant: "u", id: "a" })).toBe(false);
    expect(await one.remove({ tenant: "t", id: "a" })).toBe(true);
    expect(await other.get({ tenant: "t", id: "a" })).toBeUndefined();
    expect(await other.remove({ tenant: "t", id: "a" })).toBe(false);
  });

  it("says why it did not do what it was asked", async () => {
    const { one, other } = await two(deployment);
    const key = { tenant: "t", id: "a" };
    await rejectsWith("absent", one.update({ ...key, version: 1 }, { document: {} }));
    await one.insert({ ...key, document: {} });
    await rejectsWith("exists", other.insert({ ...key, document: {} }));
    await rejectsWith("conflict", other.update({ ...key, version: 2 }, { document: {} }));
    await rejectsWith("conflict", other.remove({ ...key, version: 2 }));
    expect(await other.remove({ ...key, version: 1 })).toBe(true);
    await rejectsWith("absent", one.update({ ...key, version: 1 }, { document: {} }));
    expect(await one.insert({ ...key, document: { name: "again" } })).toMatchObject({ version: 1 });
  });

  it("lets one of many win each version, and loses none", async () => {
    const { one, other } = await two(deployment);
    const key = { tenant: "t", id: "counter" };
    await one.insert({ ...key, document: { text: 0 } });
    let conflicts = 0;
    const count = async (records: typeof one) => {
      for (let done = 0; done < 10; ) {
        const { version, document } = (await records.get(key)) ?? { version: 0, document: { text: 0 } };
        const next = { document: { text: Number(document.text) + 1 } };
        const error = await records.update({ ...key, version }, next).catch((thrown: RecordError) => thrown);
        if (!(error instanceof RecordError)) done++;
        else conflicts += error.reason === "conflict" ? 1 : Number.NaN;
      }
    };
    await Promise.all([one, other, one, other].map(count));
    expect(await other.get(key)).toMatchObject({ version: 41, document: { text: 40 } });
    expect(conflicts).toBeGreaterThan(0);
  });

  it("makes one of many that insert the same the first", async () => {
    const { one, other } = await two(deployment);
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? one : other).insert({ tenant: "t", id: `${at % 10}`, document: { slug: "same" } }),
      ),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await one.count({ tenant: "t" })).toBe(1);
  });
}

function uniqueValues(deployment: Deployment): void {
  it("keeps unique values unique within a tenant, and says which were taken", async () => {
    const { one, other } = await two(deployment);
    await one.insert({ tenant: "t", id: "a", document: { slug: "s", name: "n", status: 1 } });
    await other.insert({ tenant: "u", id: "a", document: { slug: "s" } });
    const taken = await rejectsWith("duplicate", other.insert({ tenant: "t", id: "b", document: { slug: "s" } }));
    expect(taken.fields).toEqual(["slug"]);
    const pair = { slug: "other", name: "n", status: 1 };
    expect((await rejectsWith("duplicate", other.insert({ tenant: "t", id: "b", document: pair }))).fields).toEqual([
      "name",
      "status",
    ]);
    await other.insert({ tenant: "t", id: "b", document: { ...pair, status: "1" } });
    await rejectsWith("duplicate", one.update({ tenant: "t", id: "b", version: 1 }, { document: { slug: "s" } }));
    expect(await one.get({ tenant: "t", id: "b" })).toMatchObject({ version: 1, document: { slug: "other" } });
  });

  it("frees a value that its record gives up", async () => {
    const { one, other } = await two(deployment);
    await one.insert({ tenant: "t", id: "a", document: { slug: "s" } });
    await one.update({ tenant: "t", id: "a", version: 1 }, { document: { slug: "s", text: "kept its own" } });
    await one.update({ tenant: "t", id: "a", version: 2 }, { document: { slug: "moved" } });
    await other.insert({ tenant: "t", id: "b", document: { slug: "s" } });
    await other.remove({ tenant: "t", id: "b" });
    await one.insert({ tenant: "t", id: "c", document: { slug: "s" } });
  });

  it("asks nothing of records without the value", async () => {
    const { one } = await two(deployment);
    for (const [id, slug] of Object.entries({ a: null, b: null, c: undefined, d: undefined }))
      await one.insert({ tenant: "t", id, document: { ...(slug !== undefined && { slug }), name: "n" } });
    expect(await one.count({ tenant: "t" })).toBe(4);
  });
}

function oddThings(deployment: Deployment): void {
  it("gives back any JSON as it was", async () => {
    const { one, other } = await two(deployment);
    const odd = JSON.parse(
      '{"__proto__":{"x":1},"$set":{"a.b":1},"a.b":"","":0,"nul\\u0000":"\\u0000","half":"\\ud83d","emoji":"😀",' +
        '"big":9007199254740993,"small":5e-324,"minus":-0.5,"deep":[[[{"constructor":null}]]],"_id":"x","slug":"ß\\u0000\\udc00"}',
    );
    await one.insert({ tenant: "t", id: "a", document: odd });
    const found = await other.get({ tenant: "t", id: "a" });
    expect(JSON.stringify(found?.document)).toBe(JSON.stringify(odd));
    await rejectsWith("duplicate", other.insert({ tenant: "t", id: "b", document: { slug: "ß\u0000\udc00" } }));
  });

  it("takes any text for id and tenant that every store can keep", async () => {
    const { one, other } = await two(deployment);
    const names = [
      "a b",
      "ä/ö",
      "😀",
      "a'; DROP TABLE records;--",
      "$where",
      "..",
      "__proto__",
      "%00",
      "x".repeat(256),
    ];
    for (const id of names) await one.insert({ tenant: id, id, document: { status: id } });
    for (const id of names) {
      expect(await other.get({ tenant: id, id })).toMatchObject({ document: { status: id } });
      expect((await other.find({ tenant: id, where: { status: id } })).records).toHaveLength(1);
    }
  });

  it("refuses names that are none, before anything is kept", async () => {
    const { one, store } = await two(deployment);
    for (const bad of ["", "x".repeat(257), "a\u0000b", "a\nb", "\ud800", 7, undefined, { $gt: "" }])
      for (const key of [
        { tenant: "t", id: bad },
        { tenant: bad, id: "a" },
      ] as never[]) {
        await rejectsWith("invalid", one.get(key));
        await rejectsWith("invalid", one.remove(key));
        await rejectsWith("invalid", one.insert({ ...(key as object), document: {} } as never));
      }
    for (const name of ["", "Upper", "a-b", "a.b", "1a", "system.users", "x".repeat(64)])
      expect(() => store.collection({ name, schemaVersion: 1 })).toThrow(RecordError);
    for (const more of [{ schemaVersion: 0 }, { indexes: ["a.b"] }, { indexes: ["$a"] }, { unique: [[]] }])
      expect(() => store.collection({ name: "fine", schemaVersion: 1, ...more } as never)).toThrow(RecordError);
    expect(() => store.collection({ ...prompts, indexes: ["name"] })).toThrow(/declared differently/);
    expect(store.collection({ ...prompts })).toBe(one);
  });

  it("keeps large documents, and refuses what is too large or no document", async () => {
    const { one, other } = await two(deployment);
    const text = "€".repeat(2_500_000);
    await one.insert({ tenant: "t", id: "large", document: { text } });
    expect((await other.get({ tenant: "t", id: "large" }))?.document.text === text).toBe(true);
    const circle: { text?: unknown } = {};
    circle.text = circle;
    for (const document of [{ text: "€".repeat(3_000_000) }, circle, [], "text", null, { text: 1n }] as never[])
      await rejectsWith("invalid", one.insert({ tenant: "t", id: "b", document }));
    for (const expiresAt of [Number.NaN, -1, 1.5, 9e15])
      await rejectsWith("invalid", one.insert({ tenant: "t", id: "b", document: {}, expiresAt }));
  });

  it("indexes long values by what they are", async () => {
    const { one, other } = await two(deployment);
    const long = "v".repeat(5000);
    await one.insert({ tenant: "t", id: "a", document: { slug: long, status: long } });
    await rejectsWith("duplicate", other.insert({ tenant: "t", id: "b", document: { slug: long } }));
    await other.insert({ tenant: "t", id: "c", document: { slug: `${long}x`, status: `${long}x` } });
    expect((await other.find({ where: { status: long } })).records.map(({ id }) => id)).toEqual(["a"]);
  });

  it("keeps what it was given, whatever happens to the object", async () => {
    const { one } = await two(deployment);
    const document = { text: { list: [1] } };
    const made = await one.insert({ tenant: "t", id: "a", document });
    document.text.list.push(2);
    expect(made.document).toEqual({ text: { list: [1] } });
    expect((await one.get({ tenant: "t", id: "a" }))?.document).toEqual({ text: { list: [1] } });
  });
}
