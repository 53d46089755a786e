import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { SqliteFile } from "./sqlite-file.ts";
import type { NoteReads, NoteWrites } from "./testing.ts";

const pathIn = (folder: string) => join(folder, "notes.db");

function notes(folder = mkdtempSync(join(tmpdir(), "notes-"))) {
  const file = new SqliteFile<NoteWrites, NoteReads>({
    path: pathIn(folder),
    timeout: 20_000,
    contents: new URL("./testing.ts", import.meta.url).href,
    down: (reason) => new Error(`notes: ${reason}`),
  });
  onTestFinished(async () => {
    await file.close();
    rmSync(folder, { recursive: true });
  });
  return file;
}

it("writes and searches in two threads, neither of which serves", async () => {
  const file = notes();
  const writing = await file.write("add", { text: "a" });
  const searching = await file.search("thread", null);
  expect(new Set([threadId, writing, searching]).size).toBe(3);
});

it("finds what was written, and says what is wrong with a search", async () => {
  const file = notes();
  expect(await file.search("all", null)).toEqual([]);
  await file.write("add", { text: "a" });
  expect(await file.search("all", null)).toEqual(["a"]);
  await expect(file.search("refuse", null)).rejects.toThrow("notes: cannot be read: no such column: missing");
  expect(await file.search("all", null)).toEqual(["a"]);
  expect(file.available).toBe(true);
});

it.each(["removed", "replaced"])("acknowledges nothing for a file that was %s, until it is back", async (how) => {
  const folder = mkdtempSync(join(tmpdir(), "notes-"));
  const [file, path] = [notes(folder), pathIn(folder)];
  await file.write("add", { text: "a" });
  renameSync(path, `${path}.away`);
  if (how === "replaced") cpSync(`${path}.away`, path);
  await expect(file.write("add", { text: "b" })).rejects.toThrow(/notes: it was removed or replaced .* restart/);
  // What was opened can still be read, which says nothing of what is written.
  await file.read(() => undefined);
  expect(file.available).toBe(false);
  renameSync(`${path}.away`, path);
  await file.write("add", { text: "c" });
  expect(await file.search("all", null)).toEqual(["a", "c"]);
  expect(file.available).toBe(true);
});

it("is not available while it cannot be read", async () => {
  const file = notes();
  await expect(file.read((database) => database.get("SELECT missing FROM notes"))).rejects.toThrow("no such column");
  expect(file.available).toBe(false);
  await file.read((database) => database.get("SELECT text FROM notes"));
  expect(file.available).toBe(true);
});

it("is not searched once it is closed", async () => {
  const file = notes();
  await file.write("add", { text: "a" });
  await file.search("all", null);
  await file.close();
  await expect(file.search("all", null)).rejects.toThrow("it was closed");
});
