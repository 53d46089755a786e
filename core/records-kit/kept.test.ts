import { describe, expect, it } from "vitest";
import { type RecordCollection, RecordError, type RecordNotice } from "../services/records.ts";
import { type KeptOptions, keptRecords } from "./kept.ts";

interface Thing {
  readonly slug: string;
  readonly text: string;
}

/** A store of one thing that counts how often it is asked, answers when it is told to, and can be down. */
function start(more: Partial<KeptOptions<Thing, string>> = {}) {
  let thing: Thing | undefined = { slug: "s", text: "one" };
  let told: ((notice: RecordNotice) => void) | undefined;
  let missed: (() => void) | undefined;
  const state = { asked: 0, down: false, now: 0, hold: undefined as Promise<void> | undefined };
  const read = async () => {
    state.asked++;
    const there = thing;
    await state.hold;
    if (state.down) throw new RecordError("down", "the store is down");
    return there && { id: "i", tenant: "t", version: 1, createdAt: 0, updatedAt: 0, document: there };
  };
  const collection = {
    get: ({ id }: { id: string }) => (id === "i" ? read() : Promise.resolve(undefined)),
    async find({ where }: { where: Partial<Thing> }) {
      const found = await read();
      return { records: found && found.document.slug === where.slug ? [found] : [] };
    },
    changes(listener: typeof told, onMissed: typeof missed) {
      told = listener;
      missed = onMissed;
      return () => undefined;
    },
  } as unknown as RecordCollection<Thing>;
  const kept = keptRecords({
    collection,
    slug: "slug",
    read: ({ document }) => document.text,
    now: () => state.now,
    ...more,
  });
  return {
    state,
    find: (ref: string) => kept.find("t", ref),
    set(text: string | undefined) {
      thing = text === undefined ? undefined : { slug: "s", text };
    },
    tell: (more: Partial<RecordNotice> = {}) =>
      told?.({ collection: "things", tenant: "t", id: "i", kind: "written", ...more }),
    miss: () => missed?.(),
  };
}

describe("records at hand", () => {
  it("are not looked for under names that no record can have", async () => {
    const { find, state } = start();
    for (const ref of ["", "a\u0000b", "\ud800", "x".repeat(257)]) expect(await find(ref)).toBeUndefined();
    expect(state.asked).toBe(0);
  });

  it("are read once, by id and by slug, and then come without waiting", async () => {
    const { find, state } = start();
    expect(await find("s")).toBe("one");
    expect(find("s")).toBe("one");
    expect(await find("i")).toBe("one");
    expect(find("i")).toBe("one");
    expect(state.asked).toBe(2);
  });

  it("are read again once they have changed", async () => {
    const { find, set, tell } = start();
    await find("s");
    set("two");
    expect(find("s")).toBe("one");
    tell();
    expect(await find("s")).toBe("two");
    set(undefined);
    tell();
    expect(await find("s")).toBeUndefined();
  });

  it("are found by several fields where one does not say who is meant", async () => {
    const { find, state } = start({
      where: (ref) => {
        const [text, slug] = ref.split("/");
        return slug === undefined ? undefined : { text: text ?? "", slug };
      },
    });
    expect(await find("one/s")).toBe("one");
    expect(find("one/s")).toBe("one");
    expect(await find("i")).toBe("one");
    expect(state.asked).toBe(2);
  });

  it("remember what is absent for a while, and until something is made", async () => {
    const { find, set, tell, state } = start();
    expect(await find("other")).toBeUndefined();
    expect(find("other")).toBeUndefined();
    expect(state.asked).toBe(1);
    state.now = 6000;
    expect(await find("other")).toBeUndefined();
    expect(state.asked).toBe(2);
    set(undefined);
    expect(await find("s")).toBeUndefined();
    set("made");
    tell();
    expect(await find("s")).toBe("made");
  });

  it("do not keep what was read while it changed", async () => {
    const { find, set, tell, state } = start();
    let go = () => undefined as void;
    state.hold = new Promise((resolve) => {
      go = resolve;
    });
    const early = find("s");
    await new Promise(setImmediate);
    set("two");
    tell();
    go();
    expect(await early).toBe("one");
    expect(await find("s")).toBe("two");
  });

  const written = { version: 1, updatedAt: 0 };
  const notices: readonly [string, Partial<RecordNotice>, boolean][] = [
    ["of the write that was read", { written }, true],
    ["of another version", { written: { version: 2, updatedAt: 0 } }, false],
    ["of the same version made anew", { written: { version: 1, updatedAt: 1 } }, false],
    ["that does not say what was written", {}, false],
    ["that it was removed", { kind: "removed" }, false],
  ];

  it.each(notices)("stay at hand after a notice %s: %j %s", async (_, notice, stays) => {
    const { find, tell, state } = start();
    await find("s");
    tell(notice);
    await find("s");
    expect(state.asked).toBe(stays ? 1 : 2);
  });

  it.each([...notices, ["of another record", { id: "j" }, true] as const])(
    "are kept as they were read meanwhile, after a notice %s: %j %s",
    async (_, notice, stays) => {
      const { find, tell, state } = start();
      const early = find("i");
      tell(notice);
      expect(await early).toBe("one");
      state.down = true;
      const later = Promise.resolve(find("i")).catch(({ reason }: RecordError) => reason);
      expect(await later).toBe(stays ? "one" : "down");
    },
  );

  it("serve the old value at once while changes may have been missed, and renew it behind", async () => {
    const { find, set, miss } = start();
    await find("s");
    set("two");
    miss();
    expect(find("s")).toBe("one");
    await new Promise(setImmediate);
    expect(find("s")).toBe("two");
  });

  it.each([
    { staleAfterChange: true, changed: "one" },
    { staleAfterChange: false, changed: "down" },
  ])("outlive the store: %j", async ({ staleAfterChange, changed }) => {
    const { find, state, miss, tell } = start({ staleAfterChange });
    await find("s");
    state.down = true;
    expect(find("s")).toBe("one");
    miss();
    expect(find("s")).toBe("one");
    await new Promise(setImmediate);
    expect(find("s")).toBe("one");
    tell();
    const answer = await Promise.resolve(find("s")).catch(({ reason }: RecordError) => reason);
    expect(answer).toBe(changed);
    await expect(Promise.resolve(find("never seen"))).rejects.toThrow("down");
    state.down = false;
    expect(await find("s")).toBe("one");
  });
});
