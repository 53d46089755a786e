import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { RecordError, recordStore } from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { BlobFolder } from "../blobs-folder/folder.ts";
import { KeptFiles } from "./kept-files.ts";

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

function open() {
  const time = { now: Date.UTC(2026, 0, 1) };
  const now = () => time.now;
  const backend = new MemoryRecords();
  const blobs = new BlobFolder(temporaryFolder({}));
  const files = new KeptFiles(recordStore(backend, keepingLogger(), now), blobs, now);
  const add = (lifetime?: number) =>
    files.add("acme", once("text"), () => ({
      filename: "a",
      purpose: "batch",
      content_type: "text/plain",
      lifetime,
    }));
  const isThere = async (id: string) => (await blobs.get(`files/${id}`)) !== undefined;
  return { time, files, blobs, backend, add, isThere };
}

describe("files that are kept", () => {
  it("are no longer there when their time is over, and their bytes go with the next sweep", async () => {
    const { files, time, add, isThere } = open();
    const [short, forEver] = [await add(3_600), await add()];
    time.now += 3_600_000 - 1;
    expect(await files.find("acme", short.id)).toBeDefined();
    time.now += 1;
    expect(await files.find("acme", short.id)).toBeUndefined();
    expect(await files.remove("acme", short.id)).toBe(false);
    expect(await isThere(short.id)).toBe(true);
    await files.sweep();
    expect([await isThere(short.id), await isThere(forEver.id)]).toEqual([false, true]);
    expect(await files.find("acme", forEver.id)).toMatchObject({ bytes: 4 });
  });

  it("are there until their bytes are gone, whatever happens in between", async () => {
    const { files, blobs, time, add, isThere } = open();
    const [asked, short, other] = [await add(), await add(3_600), await add(3_600)];
    const { remove } = blobs;
    const fails = new Set([asked.id, short.id].map((id) => `files/${id}`));
    blobs.remove = (key) => (fails.has(key) ? Promise.reject(new Error("the disk is away")) : remove.call(blobs, key));
    await expect(files.remove("acme", asked.id)).rejects.toThrow("the disk is away");
    time.now += 3_600_000;
    await expect(files.sweep()).rejects.toThrow("the disk is away");
    expect(await isThere(other.id)).toBe(false);
    fails.clear();
    expect(await files.remove("acme", asked.id)).toBe(true);
    await files.sweep();
    expect([await isThere(asked.id), await isThere(short.id)]).toEqual([false, false]);
  });

  it("leave no bytes behind that no record names", async () => {
    const { add, backend, files, blobs } = open();
    await add();
    const kept: string[] = [];
    const put = blobs.put.bind(blobs);
    blobs.put = async (key, bytes) => {
      kept.push(key);
      const length = await put(key, bytes);
      backend.down = true;
      return length;
    };
    await expect(add()).rejects.toMatchObject({ code: "store_unavailable" });
    expect(await blobs.get(kept[0] ?? "")).toBeUndefined();
    backend.down = false;
    expect(await files.find("acme", "gw_file_none")).toBeUndefined();
  });

  it("have their bytes where nobody has heard that their record was written", async () => {
    const { add, backend, files, isThere } = open();
    const { insert } = backend;
    backend.insert = async (...given) => {
      await insert(...given);
      throw new RecordError("down", "no answer");
    };
    const { id } = await add();
    expect(await files.find("acme", id)).toMatchObject({ bytes: 4 });
    expect(await isThere(id)).toBe(true);
  });

  it("that the gateway made are the same however often they are made", async () => {
    const { files } = open();
    const made = (text: string) =>
      files.keep({ tenant: "acme", id: "gw_file_1", filename: "out", purpose: "batch_output", content: once(text) });
    expect(await made("one")).toEqual(await made("another one"));
    expect(await files.find("other", "gw_file_1")).toBeUndefined();
  });
});
