import { describe, expect, it } from "vitest";
import { RecordError, type RecordNotice } from "../services/records.ts";
import { keptLists } from "./kept-lists.ts";

/** Lists by tenant and name, a count of questions, and what a store tells of its changes. */
function setUp() {
  const state = { lists: { "t/a": ["one"] } as Record<string, string[]>, asked: 0, down: false };
  const told: ((notice: RecordNotice) => void)[] = [];
  const missing: (() => void)[] = [];
  const kept = keptLists<object, readonly string[]>({
    collection: {
      changes(listener, missed = () => undefined) {
        told.push(listener);
        missing.push(missed);
        return () => undefined;
      },
    },
    async read(tenant, name) {
      state.asked++;
      if (state.down) throw new RecordError("down", "the store is down");
      return [...(state.lists[`${tenant}/${name}`] ?? [])];
    },
    staleAfterChange: true,
  });
  const changed = (tenant: string) => {
    for (const tell of told) tell({ collection: "things", kind: "written", tenant, id: crypto.randomUUID() });
  };
  const missed = () => {
    for (const tell of missing) tell();
  };
  return { state, kept, changed, missed };
}

describe("lists that are kept", () => {
  it("are read once, empty ones as well, and again when a record of their tenant changes", async () => {
    const { state, kept, changed } = setUp();
    expect(await kept.find("t", "a")).toEqual(["one"]);
    expect(await kept.find("t", "b")).toEqual([]);
    expect([kept.find("t", "a"), kept.find("t", "b"), state.asked]).toEqual([["one"], [], 2]);
    changed("another");
    expect([kept.find("t", "a"), state.asked]).toEqual([["one"], 2]);
    state.lists["t/b"] = ["two"];
    changed("t");
    expect(kept.find("t", "b")).toBeInstanceOf(Promise);
    expect(await kept.find("t", "b")).toEqual(["two"]);
    expect([kept.find("t", "b"), await kept.find("t", "a")]).toEqual([["two"], ["one"]]);
  });

  it("serve as they were while the store is down, or may have missed a change", async () => {
    const { state, kept, changed, missed } = setUp();
    await kept.find("t", "a");
    state.lists["t/a"] = ["other"];
    missed();
    expect(kept.find("t", "a")).toEqual(["one"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(kept.find("t", "a")).toEqual(["other"]);
    state.down = true;
    changed("t");
    expect(await kept.find("t", "a")).toEqual(["other"]);
    await expect(kept.find("t", "never asked")).rejects.toThrow("the store is down");
  });
});
