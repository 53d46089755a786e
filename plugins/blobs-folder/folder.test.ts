import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import type { Blob } from "../../core/index.ts";
import { keepingLogger, startTestGateway } from "../../test/support/gateway.ts";
import { BlobFolder } from "./folder.ts";

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function textOf(blob: Blob | undefined): Promise<string | undefined> {
  if (!blob) return undefined;
  const read: Buffer[] = [];
  for await (const piece of blob.bytes) read.push(piece);
  return Buffer.concat(read).toString();
}

const open = () => {
  const folder = temporaryFolder({});
  return { folder, blobs: new BlobFolder(folder) };
};

describe("a folder of blobs", () => {
  it("gives back what was kept, whole or in part, and nothing once it is removed", async () => {
    const { blobs } = open();
    expect(await blobs.put("files/a", pieces("hello ", "there"))).toBe(11);
    const whole = await blobs.get("files/a");
    expect([whole?.length, await textOf(whole)]).toEqual([11, "hello there"]);
    expect(await textOf(await blobs.get("files/a", { from: 6 }))).toBe("there");
    expect(await textOf(await blobs.get("files/a", { from: 2, to: 4 }))).toBe("ll");
    expect(await blobs.get("files/a", { from: 99 })).toMatchObject({ length: 0 });
    expect([await blobs.remove("files/a"), await blobs.remove("files/a")]).toEqual([true, false]);
    expect(await blobs.get("files/a")).toBeUndefined();
  });

  it("keeps what was there, and leaves nothing lying about, when the new bytes break off", async () => {
    const { blobs, folder } = open();
    await blobs.put("files/a", pieces("old"));
    const broken = async function* () {
      yield Buffer.from("new");
      throw new Error("gone");
    };
    await expect(blobs.put("files/a", broken())).rejects.toThrow("gone");
    expect(await textOf(await blobs.get("files/a"))).toBe("old");
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  });

  it("keeps no folder that nothing is in any more, and makes it again for others", async () => {
    const { blobs, folder } = open();
    for (const key of ["batches/x/a", "batches/x/b", "batches/y/a"]) await blobs.put(key, pieces("text"));
    await blobs.remove("batches/x/a");
    expect(await textOf(await blobs.get("batches/x/b"))).toBe("text");
    await blobs.remove("batches/x/b");
    expect(readdirSync(join(folder, "batches"))).toEqual(["y"]);
    const late = async function* () {
      yield Buffer.from("more");
      await blobs.remove("batches/y/a");
    };
    await blobs.put("batches/y/b", late());
    expect(await textOf(await blobs.get("batches/y/b"))).toBe("more");
  });

  it.each(["../a", "a/../b", "/a", ".hidden", "A", "a//b", "tmp/a"])(
    "takes no key that leads elsewhere: %s",
    async (key) => {
      const { blobs } = open();
      await expect(blobs.put(key, pieces("x"))).rejects.toThrow("no key");
    },
  );

  it("takes away what a process that died was writing, and not what is being written", async () => {
    const { blobs, folder } = open();
    mkdirSync(join(folder, "tmp"));
    for (const name of ["old", "new"]) writeFileSync(join(folder, "tmp", name), "x");
    utimesSync(join(folder, "tmp", "old"), 1, 1);
    await blobs.sweep(Date.now());
    expect([existsSync(join(folder, "tmp", "old")), existsSync(join(folder, "tmp", "new"))]).toEqual([false, true]);
  });

  it("does so again and again while the gateway runs", async () => {
    const folder = temporaryFolder({});
    await startTestGateway(`plugins:\n  blobs-folder: { path: '${folder}', sweepInterval: 1 }\n`);
    mkdirSync(join(folder, "tmp"));
    for (const name of ["one", "other"]) {
      const draft = join(folder, "tmp", name);
      writeFileSync(draft, "x");
      utimesSync(draft, 1, 1);
      await expect.poll(() => existsSync(draft), { interval: 1, timeout: 20_000 }).toBe(false);
    }
  });

  it("says that the store fails where it cannot write, and the log why, once", async () => {
    const { folder } = open();
    const place = join(folder, "file");
    writeFileSync(place, "x");
    const log = keepingLogger();
    const blobs = new BlobFolder(place, log);
    for (const key of ["files/a", "files/b"])
      await expect(blobs.put(key, pieces("x"))).rejects.toMatchObject({ code: "store_unavailable" });
    rmSync(place);
    for (const key of ["files/a", "files/b"]) await blobs.put(key, pieces("x"));
    const because = expect.objectContaining({ code: "ENOTDIR" });
    expect(log.lines).toEqual([
      { level: "warn", message: "files cannot be kept", fields: { folder: place, error: because } },
      { level: "info", message: "files are kept again", fields: { folder: place } },
    ]);
  });
});
