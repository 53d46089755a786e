import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf, headId, idOf } from "./document.ts";
import { chainDeployment, day, entryNamed, organisation } from "./testing.ts";

type Deployment = ReturnType<typeof chainDeployment>;

/** The organisation's own chain. */
const checked = async ({ verify }: Deployment, ...known: readonly string[]) => {
  const chain = (await verify(...known)).find((one) => one.organisation === organisation);
  if (chain) return chain;
  throw new Error("there is no chain");
};

describe("what was done to a chain of ten", () => {
  const redo = (deployment: Deployment, sequence: number, change: object) =>
    deployment.meddle(sequence, (document) => {
      const changed = { ...document, ...change };
      return { ...changed, digest: digestOf(organisation, changed) };
    });

  it.each<[string, (deployment: Deployment) => Promise<unknown>, number, RegExp]>([
    ["an entry is altered", ({ meddle }) => meddle(4, (one) => ({ ...one, user_id: "x" })), 4, /4 was altered/],
    ["its digest is made to fit", (d) => redo(d, 4, { user_id: "x" }), 4, /4 was altered: the one after it/],
    ["the first one is altered so", (d) => redo(d, 1, { user_id: "x" }), 1, /1 was altered: the one after it/],
    ["the last one is altered so", (d) => redo(d, 10, { user_id: "x" }), 10, /10 was altered: the head/],
    ["one is removed", ({ remove }) => remove(4), 4, /entry 4 was removed/],
    ["several are removed", ({ remove }) => remove(4, 5, 6), 4, /entries 4 to 6 were removed/],
    ["the first one is removed", ({ remove }) => remove(1), 1, /entry 1 was removed/],
    ["the end is removed", ({ remove }) => remove(9, 10), 9, /entries 9 to 10 were removed/],
    ["all are removed", ({ remove }) => remove(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 1, /entries 1 to 10/],
    [
      "two change places",
      async ({ entries, meddle }) => {
        const [four, five] = await Promise.all(
          [4, 5].map((one) => entries.get({ tenant: organisation, id: idOf(one) })),
        );
        await meddle(4, (one) => five?.document ?? one);
        await meddle(5, (one) => four?.document ?? one);
      },
      4,
      /inserted/,
    ],
    [
      "one is put between",
      ({ entries }) =>
        entries.get({ tenant: organisation, id: idOf(4) }).then((kept) => {
          if (kept) return entries.insert({ tenant: organisation, id: "000000000004a", document: kept.document });
          return undefined;
        }),
      4,
      /4 was inserted/,
    ],
    [
      "one is put far behind",
      ({ entries }) =>
        entries.get({ tenant: organisation, id: idOf(4) }).then((kept) => {
          const document = kept && { ...kept.document, sequence: 90_000, block: 89 };
          if (document) return entries.insert({ tenant: organisation, id: idOf(90_000), document });
          return undefined;
        }),
      90_000,
      /inserted/,
    ],
    [
      "an entry of another organisation is put in",
      async ({ entries, fill, meddle }) => {
        await fill(10, "other");
        const other = await entries.get({ tenant: "other", id: idOf(4) });
        await meddle(4, (one) => other?.document ?? one);
      },
      4,
      /4 was altered/,
    ],
    ["the head is removed", ({ heads }) => heads.remove({ tenant: organisation, id: headId }), 11, /head/],
  ])("is found: %s", async (_, tamper, sequence, message) => {
    const deployment = chainDeployment();
    await deployment.fill(10);
    expect(await checked(deployment)).toMatchObject({ entries: 10, expired: 0 });
    expect(await checked(deployment)).not.toHaveProperty("wrong");
    await tamper(deployment);
    expect((await checked(deployment)).wrong).toEqual({ sequence, message: expect.stringMatching(message) });
  });

  it("is found whichever field of whichever entry is altered", async () => {
    const deployment = chainDeployment();
    await deployment.fill(10);
    const whole = await deployment.entries.get({ tenant: organisation, id: idOf(1) });
    const names = Object.keys(whole?.document ?? {}).filter((name) => name !== "block");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.constantFrom(...names), async (sequence, name) => {
        const before = await deployment.entries.get({ tenant: organisation, id: idOf(sequence) });
        await deployment.meddle(sequence, (one) => ({ ...one, [name]: `${Math.random()}` }));
        expect((await checked(deployment)).wrong).toBeDefined();
        await deployment.meddle(sequence, (one) => before?.document ?? one);
        expect((await checked(deployment)).wrong).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  it("is not found where the end and the head go back together; a digest that was noted is gone then", async () => {
    const deployment = chainDeployment();
    await deployment.fill(8);
    const early = (await checked(deployment)).digest ?? "";
    const head = await deployment.heads.get({ tenant: organisation, id: headId });
    await deployment.fill(2);
    const late = (await checked(deployment)).digest ?? "";
    expect((await checked(deployment, early, late, "another")).known).toEqual([early, late]);
    await deployment.remove(9, 10);
    const now = await deployment.heads.get({ tenant: organisation, id: headId });
    if (head && now) await deployment.heads.update(now, { document: head.document });
    const after = await checked(deployment, early, late);
    expect(after.wrong).toBeUndefined();
    expect(after.known).toEqual([early]);
  });
});

describe("a chain", () => {
  it("stays one, whoever continues it, with every entry once", async () => {
    const deployment = chainDeployment();
    const processes = Array.from({ length: 4 }, () => deployment.process());
    await Promise.all(
      processes.map(async (chains, which) => {
        for (let at = 0; at < 25; at++) await chains.append(organisation, entryNamed(`${which}-${at}`));
        await chains.settle(organisation);
      }),
    );
    expect(await checked(deployment)).toMatchObject({ entries: 100 });
    expect(await checked(deployment)).not.toHaveProperty("wrong");
    const { records } = await deployment.entries.find({ tenant: organisation, limit: 1000 });
    expect(new Set(records.map(({ document }) => document.subject)).size).toBe(100);
    const head = await deployment.heads.get({ tenant: organisation, id: headId });
    expect(head?.document.sequence).toBe(100);
  });

  it("goes on where a process died before it wrote the head down", async () => {
    const deployment = chainDeployment();
    await deployment.fill(3);
    await deployment.process().append(organisation, entryNamed("4"));
    const next = deployment.process();
    await next.append(organisation, entryNamed("5"));
    expect(await checked(deployment)).toMatchObject({ entries: 5 });
    expect(await checked(deployment)).not.toHaveProperty("wrong");
  });

  it("has an entry once of which nobody said that it was kept", async () => {
    const deployment = chainDeployment();
    await deployment.fill(2);
    const { chains, store } = deployment;
    const insert = store.insert;
    for (const isKept of [true, false]) {
      store.insert = async (...given) => {
        if (isKept) await insert(...given);
        store.down = true;
        return insert(...given);
      };
      const entry = entryNamed(`kept: ${isKept}`);
      await expect(chains.append(organisation, entry)).rejects.toMatchObject({ reason: "down" });
      store.down = false;
      store.insert = insert;
      await deployment.process().append(organisation, entryNamed("somebody else's"));
      await chains.append(organisation, entry);
    }
    await chains.settle(organisation);
    const { records } = await deployment.entries.find({ tenant: organisation });
    expect(records.map(({ document }) => document.subject)).toEqual([
      "1",
      "2",
      "kept: true",
      "somebody else's",
      "somebody else's",
      "kept: false",
    ]);
    expect(await checked(deployment)).not.toHaveProperty("wrong");
  });

  it("loses what is over without being broken, and goes on after all of it is", async () => {
    const deployment = chainDeployment({ retention: 30 * day });
    const { clock, fill } = deployment;
    await fill(3);
    clock.now += 20 * day;
    await fill(3);
    clock.now += 15 * day;
    expect(await checked(deployment)).toMatchObject({ entries: 3, expired: 3 });
    expect(await checked(deployment)).not.toHaveProperty("wrong");
    await deployment.remove(5);
    expect((await checked(deployment)).wrong).toMatchObject({ sequence: 5 });
    clock.now += 30 * day;
    expect(await checked(deployment)).toMatchObject({ entries: 0, expired: 6 });
    const later = deployment.process();
    await later.append(organisation, entryNamed("7"));
    await later.settle(organisation);
    expect(await checked(deployment)).toMatchObject({ entries: 1, expired: 6 });
    expect(await checked(deployment)).not.toHaveProperty("wrong");
  });

  it("is walked beyond a thousand", async () => {
    const deployment = chainDeployment();
    await deployment.fill(2001);
    expect(await checked(deployment)).toMatchObject({ entries: 2001 });
    await deployment.remove(1500);
    expect((await checked(deployment)).wrong).toMatchObject({ sequence: 1500 });
  });

  it("of nobody is none", async () => {
    expect(await chainDeployment().verify()).toEqual([]);
  });
});
