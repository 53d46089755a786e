import { describe, expect, it } from "vitest";
import type { RecordCollection, StoredRecord } from "../services/records.ts";
import { keptRecords } from "./kept.ts";

/** A collection with one record, and a count of what was asked of it. */
function collection() {
  const asked: string[] = [];
  const listening: string[] = [];
  const record: StoredRecord<{ n: number }> = {
    id: "there",
    tenant: "t",
    version: 1,
    createdAt: 1,
    updatedAt: 1,
    document: { n: 1 },
  };
  const kept = {
    async get({ id }: { readonly id: string }) {
      asked.push(id);
      return id === "there" ? record : undefined;
    },
    changes() {
      listening.push("on");
      return () => void listening.push("off");
    },
  } as unknown as RecordCollection<{ n: number }>;
  return { asked, listening, kept };
}

describe("records that are kept at hand", () => {
  it.each([
    ["stay there, whatever is asked for that is not", 3, 0],
    ["go where nothing bounds what is not there", 100, 1],
  ])("%s", async (_, mostAbsent, asked) => {
    const store = collection();
    const { find } = keptRecords({ collection: store.kept, read: ({ document }) => document.n, most: 10, mostAbsent });
    expect(await find("t", "there")).toBe(1);
    for (let count = 0; count < 50; count++) expect(await find("t", `no ${count}`)).toBeUndefined();
    store.asked.length = 0;
    expect(await find("t", "there")).toBe(1);
    expect(store.asked).toHaveLength(asked);
  });

  it("are listened for once somebody asks, until they are closed", async () => {
    const store = collection();
    const keep = () => keptRecords({ collection: store.kept, read: () => 1 });
    const [used, unused] = [keep(), keep()];
    expect(store.listening).toEqual([]);
    await used.find("t", "there");
    await used.find("t", "absent");
    expect(store.listening).toEqual(["on"]);
    used.close();
    unused.close();
    expect(store.listening).toEqual(["on", "off"]);
  });

  it("say what they know, without asking", async () => {
    const store = collection();
    const clock = { now: 0 };
    const options = { collection: store.kept, read: () => 1, absentFor: 100, now: () => clock.now };
    const { find, knows } = keptRecords(options);
    const known = () => ["there", "absent"].map((ref) => knows("t", ref));
    expect(known()).toEqual([false, false]);
    const finding = [find("t", "there"), find("t", "absent")];
    expect(known()).toEqual([true, true]);
    await Promise.all(finding);
    expect(known()).toEqual([true, true]);
    clock.now = 100;
    expect(known()).toEqual([true, false]);
    expect(store.asked).toEqual(["there", "absent"]);
  });
});
