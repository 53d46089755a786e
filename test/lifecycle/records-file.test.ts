import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadSqlite, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { FileBackend } from "../../plugins/records-file/file-backend.ts";
import { root } from "../support/root.ts";

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "sluice-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "records.db");
}

function writer(path: string, ...task: string[]) {
  const script = join(root, "test/support/records-writer.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, path, ...task], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function opened(path: string) {
  const backend = new FileBackend({ path, timeout: 10_000, pollInterval: 20 });
  onTestFinished(() => backend.close());
  return recordStore(backend, silentLogger).collection<{ n: number }>({ name: "written", schemaVersion: 1 });
}

async function isWhole(path: string): Promise<unknown> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare("PRAGMA integrity_check").get();
  database.close();
  return { ...(found as object) };
}

it("loses nothing that was acknowledged when a process is killed while it writes", async () => {
  const path = temporaryFile();
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round++) {
    const child = writer(path, "insert", `${round}`);
    let printed = "";
    const ended = once(child, "close");
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (printed.split("\n").length > 150) child.kill("SIGKILL");
    });
    expect((await ended)[1]).toBe("SIGKILL");
    // What was printed in part was acknowledged as well, but nobody knows what it was.
    acknowledged.push(...printed.split("\n").slice(0, -1));
  }
  const records = opened(path);
  expect(acknowledged.length).toBeGreaterThanOrEqual(450);
  const lost: string[] = [];
  for (const id of acknowledged) if (!(await records.get({ tenant: "t", id }))) lost.push(id);
  expect(lost).toEqual([]);
  expect(await isWhole(path)).toEqual({ integrity_check: "ok" });
}, 60_000);

it("lets processes share a file: none overwrites what another has written, and all hear of it", async () => {
  const path = temporaryFile();
  const records = opened(path);
  let heard = 0;
  records.changes(() => heard++);
  await records.count({});
  const children = [1, 2, 3].map(() => writer(path, "count", "60"));
  const ends = await Promise.all(children.map((child) => once(child, "close")));
  expect(ends.map(([code]) => code)).toEqual([0, 0, 0]);
  expect(await records.get({ tenant: "t", id: "counter" })).toMatchObject({ version: 180, document: { n: 180 } });
  await expect.poll(() => heard, { interval: 10 }).toBe(180);
}, 60_000);
