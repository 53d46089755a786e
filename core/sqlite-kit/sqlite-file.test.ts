import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { SqliteFile } from "./sqlite-file.ts";
import type { NoteReads, NoteWrites } from "./testing.ts";

function notes() {
  const folder = mkdtempSync(join(tmpdir(), "notes-"));
  const file = new SqliteFile<NoteWrites, NoteReads>({
    path: join(folder, "notes.db"),
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

it("is not searched once it is closed", async () => {
  const file = notes();
  await file.write("add", { text: "a" });
  await file.search("all", null);
  await file.close();
  await expect(file.search("all", null)).rejects.toThrow("it was closed");
});
