import { describe, expect, it } from "vitest";
import { GatewayError, RecordError } from "../../core/index.ts";
import type { BatchDocument } from "./document.ts";
import { HeldBatch } from "./store.ts";
import { lines, openBatches, type Speak } from "./testing.ts";

const away = () => Promise.reject(new RecordError("down", "the store is away"));
const usage = { inputTokens: 3, outputTokens: 2 };
const good: Speak = () => ({ exchange: { usage } });

/** Fails once, before or after a change is written whose document is one of these. */
function failOnce(
  { store }: Pick<ReturnType<typeof openBatches>, "store">,
  isOne: (changed: Partial<BatchDocument>) => boolean,
  written: boolean,
) {
  const { change } = store;
  let fails = true;
  store.change = async (key, make) => {
    let isIts = false;
    const doing = () =>
      change.call(store, key, (document) => {
        const changed = make(document);
        isIts = fails && changed !== undefined && isOne(changed);
        return isIts && !written ? undefined : changed;
      });
    const done = await doing();
    if (!isIts) return done;
    fails = false;
    return away();
  };
}

describe("while stores are away", () => {
  it("lines that were answered are not sent again, and written down afterwards", async () => {
    const opened = openBatches(good);
    const { id } = await opened.made(lines(3));
    const { blobs, clock } = opened;
    const { put } = blobs;
    let fails = 3;
    blobs.put = (key, bytes) => {
      if (fails-- <= 0) return put.call(blobs, key, bytes);
      return Promise.reject(new GatewayError("store_unavailable", "The disk is away."));
    };
    const { status, counts, outputFileId } = await opened.work(id);
    expect([status, counts.completed]).toEqual(["completed", 3]);
    expect(clock.waits).toEqual([1_000, 2_000, 4_000]);
    expect(opened.asked).toHaveLength(3);
    expect(await opened.linesOf(outputFileId)).toHaveLength(3);
  });

  it.each([false, true])("lines are counted once, though their group is written down again: %s", async (written) => {
    const opened = openBatches(good);
    const { id } = await opened.made(lines(3));
    failOnce(opened, ({ progress }) => (progress?.parts.output ?? 0) > 0, written);
    const { status, counts, used } = await opened.work(id);
    expect([status, counts]).toEqual(["completed", { total: 3, completed: 3, failed: 0 }]);
    expect(used).toMatchObject({ inputTokens: 9, totalTokens: 15 });
    expect(opened.asked).toHaveLength(3);
  });

  it("a job that was started keeps its name", async () => {
    const opened = openBatches(({ method, path }) => {
      if (path.endsWith("/output")) return { text: "" };
      return { json: { id: "theirs", status: method === "GET" ? "completed" : "validating" } };
    });
    const { id } = await opened.made(lines(1), { completionWindow: "24h" });
    failOnce(opened, ({ job }) => job?.id !== undefined, false);
    expect(await opened.work(id)).toMatchObject({ status: "completed", job: { id: "theirs" } });
  });

  it("a batch whose end could not be written down ends as it was decided, with files that are whole", async () => {
    const opened = openBatches(good, { groupLines: 1 });
    const { id } = await opened.made(lines(3));
    let isArchived = true;
    let asked = 0;
    opened.behave.today = async (one) => (++asked > 1 && isArchived ? undefined : one);
    failOnce(opened, ({ status }) => status === "failed", false);
    await expect(opened.work(id)).rejects.toThrow("the store is away");
    isArchived = false;
    opened.clock.time += 60_000;
    const { status, counts, outputFileId } = await opened.work(id);
    expect([status, counts.completed]).toEqual(["failed", 1]);
    expect(await opened.linesOf(outputFileId)).toHaveLength(1);
  });

  it("what was read before is not believed, however late it comes", async () => {
    const { store, made, clock, tenant } = openBatches(good);
    const { id } = await made(lines(1));
    const found = await store.get({ tenant, id });
    const claimed = found && (await store.claim(found, "one", 60_000));
    if (!claimed) throw new Error("somebody else has it");
    const batch = new HeldBatch(claimed, { store, holder: "one", lease: 60_000, now: clock.now });
    const { change } = store;
    let answer = () => {};
    store.change = async (...given) => {
      const done = await change.apply(store, given);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return done;
    };
    const renewed = batch.change();
    while ((await store.get({ tenant, id }))?.version === claimed.version) await new Promise(setImmediate);
    const late = answer;
    store.change = change;
    await batch.change(() => ({ counts: { total: 1, completed: 1, failed: 0 } }));
    late();
    await renewed;
    expect(batch.document.counts.completed).toBe(1);
  });
});
