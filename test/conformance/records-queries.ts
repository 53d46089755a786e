import { expect, it } from "vitest";
import { type Deployment, type Prompt, rejectsWith, two } from "./records-deployment.ts";

/** What is found, in which order, and until when. */
export function answersQueries(deployment: Deployment): void {
  it("finds by equality and by lists, for a tenant or across them", async () => {
    const { one, other } = await two(deployment);
    const values: readonly (Prompt["status"] | undefined)[] = ["1", 1, true, "true", undefined, "on"];
    for (const [at, status] of values.entries())
      await one.insert({
        tenant: at % 2 ? "odd" : "even",
        id: `${at}`,
        document: { name: at < 3 ? "low" : "high", ...(status !== undefined && { status }) },
      });
    const ids = async (query: Parameters<typeof other.find>[0]) => {
      const { records } = await other.find(query);
      expect(await other.count(query)).toBe(records.length);
      return records.map(({ id }) => id).sort();
    };
    expect(await ids({ where: { status: "1" } })).toEqual(["0"]);
    expect(await ids({ where: { status: 1 } })).toEqual(["1"]);
    expect(await ids({ where: { status: [true, "true", "on"] } })).toEqual(["2", "3", "5"]);
    expect(await ids({ where: { status: [true, "true", "on"], name: "high" } })).toEqual(["3", "5"]);
    expect(await ids({ where: { status: ["1", 1], name: ["low", "high"] }, tenant: "odd" })).toEqual(["1"]);
    expect(await ids({ where: { status: [] } })).toEqual([]);
    expect(await ids({ tenant: "even" })).toEqual(["0", "2", "4"]);
    expect(await ids({ tenant: "nobody" })).toEqual([]);
    expect(await ids({})).toHaveLength(6);
  });

  it("gives pages in the order records were made, either way", async () => {
    let time = Date.now();
    const { one, other } = await two(deployment, () => time);
    // Several of one millisecond: then tenant and id decide.
    for (let at = 0; at < 25; at++) {
      if (at % 4 === 0) time++;
      await one.insert({ tenant: `t${at % 2}`, id: `${1000 + at}`, document: { status: at % 5 === 0 } });
    }
    const paged = async (query: Parameters<typeof other.find>[0]) => {
      const found: string[] = [];
      for (let after: string | undefined, rounds = 0; rounds < 40; rounds++) {
        const page = await other.find({ ...query, ...(after !== undefined && { after }) });
        expect(page.records.length).toBeLessThanOrEqual(query.limit ?? 100);
        found.push(...page.records.map(({ createdAt, tenant, id }) => `${createdAt} ${tenant} ${id}`));
        after = page.next;
        if (after === undefined) break;
      }
      return found;
    };
    const all = await paged({});
    expect(all).toHaveLength(25);
    expect(all).toEqual([...all].sort());
    expect(await paged({ limit: 1 })).toEqual(all);
    expect(await paged({ limit: 5 })).toEqual(all);
    expect(await paged({ limit: 7, order: "newest" })).toEqual([...all].reverse());
    expect(await paged({ limit: 2, tenant: "t1" })).toEqual(all.filter((line) => line.includes(" t1 ")));
    const fifth = all.filter((line) => (Number(line.split(" ")[2]) - 1000) % 5 === 0);
    expect(await paged({ limit: 2, where: { status: true } })).toEqual(fifth);
    expect(await paged({ limit: 2, where: { status: [true, "x"] }, order: "newest" })).toEqual([...fifth].reverse());
  });

  it("pages once over everything that stays, while records come, change and go", async () => {
    let time = Date.now();
    const { one, other } = await two(deployment, () => time++);
    for (let at = 0; at < 30; at++) await one.insert({ tenant: "t", id: `r${at}`, document: { status: "on" } });
    const seen: string[] = [];
    for (let after: string | undefined, page = 0; page === 0 || after !== undefined; page++) {
      const found = await other.find({
        tenant: "t",
        where: { status: "on" },
        limit: 6,
        ...(after !== undefined && { after }),
      });
      seen.push(...found.records.map(({ id }) => id));
      after = found.next;
      // The last of this page, to which the cursor points, goes; one behind is changed; and a new one comes.
      await one.remove({ tenant: "t", id: seen.at(-1) ?? "" });
      await one.update({ tenant: "t", id: `r${page * 2}`, version: 1 }, { document: { status: "on", text: page } });
      if (page < 3) await one.insert({ tenant: "t", id: `new${page}`, document: { status: "on" } });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => id.startsWith("r"))).toEqual(Array.from({ length: 30 }, (_, at) => `r${at}`));
  });

  it("refuses questions it cannot answer", async () => {
    const { one } = await two(deployment);
    await one.insert({ tenant: "t", id: "a", document: {} });
    await one.insert({ tenant: "t", id: "b", document: {} });
    const { next = "" } = await one.find({ tenant: "t", limit: 1 });
    const wrong: unknown[] = [
      { where: { text: "not indexed" } },
      { where: { status: null } },
      { where: { status: undefined } },
      { where: { status: { $ne: 1 } } },
      { where: { status: [Number.NaN] } },
      { tenant: undefined },
      { tenant: { $gt: "" } },
      { limit: 0 },
      { limit: 1001 },
      { limit: 1.5 },
      { order: "sideways" },
      { after: "nonsense" },
      { after: next },
      { tenant: "t", order: "newest", after: next },
    ];
    for (const query of wrong) await rejectsWith("invalid", one.find(query as Parameters<typeof one.find>[0]));
  });
}

export function letsRecordsExpire(deployment: Deployment): void {
  it("takes what has expired for absent, by the clock of the process", async () => {
    let time = Date.now();
    const { one, other } = await two(deployment, () => time);
    const expiresAt = time + 60_000;
    const made = await one.insert({ tenant: "t", id: "a", document: { slug: "s", status: "on" }, expiresAt });
    expect(made.expiresAt).toBe(expiresAt);
    const kept = await one.update({ tenant: "t", id: "a", version: 1 }, { document: made.document });
    expect(kept).toMatchObject({ version: 2, expiresAt });
    await one.insert({ tenant: "t", id: "for good", document: {}, expiresAt });
    const forGood = await one.update({ tenant: "t", id: "for good", version: 1 }, { document: {}, expiresAt: null });
    expect(forGood).not.toHaveProperty("expiresAt");
    time = expiresAt - 1;
    expect(await other.get({ tenant: "t", id: "a" })).toEqual(kept);
    time = expiresAt;
    expect(await other.get({ tenant: "t", id: "a" })).toBeUndefined();
    expect(await other.count({ tenant: "t", where: { status: "on" } })).toBe(0);
    expect((await other.find({ tenant: "t" })).records.map(({ id }) => id)).toEqual(["for good"]);
    expect(await other.remove({ tenant: "t", id: "a" })).toBe(false);
    await rejectsWith("absent", other.update({ tenant: "t", id: "a", version: 2 }, { document: {} }));
  });

  it("gives the place and the unique values of what has expired to others", async () => {
    let time = Date.now();
    const { one, other } = await two(deployment, () => time);
    const expiresAt = time + 60_000;
    for (const id of ["a", "b"]) await one.insert({ tenant: "t", id, document: { slug: id }, expiresAt });
    await rejectsWith("duplicate", other.insert({ tenant: "t", id: "c", document: { slug: "b" } }));
    time = expiresAt;
    expect(await other.insert({ tenant: "t", id: "a", document: { slug: "b" } })).toMatchObject({ version: 1 });
    await other.insert({ tenant: "t", id: "c", document: { slug: "a" } });
    expect(await one.count({ tenant: "t" })).toBe(2);
  });
}
