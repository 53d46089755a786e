import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { loadSqlite, logStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { FileBackend } from "../../plugins/logs-file/file-backend.ts";
import { root } from "../support/root.ts";

function writer(path: string, name: string) {
  const script = join(root, "test/support/logs-writer.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, path, name], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function isWhole(path: string): Promise<unknown> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare("PRAGMA integrity_check").get();
  database.close();
  return { ...(found as object) };
}

it("keeps whole batches and whole entries when processes are killed while they append", async () => {
  const path = join(temporaryFolder(), "logs.db");
  const kept: string[] = [];
  for (let round = 0; round < 3; round++) {
    // Two write to the file, and one of them is killed in the middle of it.
    const children = [`a${round}`, `b${round}`].map((name) => ({ name, child: writer(path, name) }));
    const printed = await Promise.all(
      children.map(async ({ child }) => {
        let text = "";
        child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
          if (text.split("\n").length > 8) child.kill("SIGKILL");
        });
        expect((await once(child, "close"))[1]).toBe("SIGKILL");
        return text.split("\n").slice(0, -1);
      }),
    );
    for (const [at, { name }] of children.entries())
      kept.push(...(printed[at] ?? []).map((batch) => `${name}-${batch}`));
  }
  expect(kept.length).toBeGreaterThanOrEqual(48);
  const backend = new FileBackend({ path, timeout: 10_000 });
  onTestFinished(() => backend.close());
  const store = logStore(backend, { retention: { objectDays: 0, rowDays: 0 }, log: silentLogger });
  const batches = new Map<string, number>();
  for (let after: string | undefined; ; ) {
    const page = await store.find({ organisation: "o", limit: 1000, ...(after !== undefined && { after }) });
    for (const { id } of page.rows) {
      const entry = await store.get({ organisation: "o", id });
      const { request, response } = entry?.object ?? {};
      expect(Buffer.from(request?.body?.bytes ?? []).toString()).toBe(JSON.stringify({ id }));
      expect(response?.body?.bytes.length).toBe(20_000);
      const batch = id.slice(0, id.lastIndexOf("-"));
      batches.set(batch, (batches.get(batch) ?? 0) + 1);
    }
    after = page.next;
    if (after === undefined) break;
  }
  expect([...batches.values()].filter((count) => count !== 20)).toEqual([]);
  expect(kept.filter((batch) => !batches.has(batch))).toEqual([]);
  expect(await isWhole(path)).toEqual({ integrity_check: "ok" });
}, 60_000);
