import { once } from "node:events";
import { loadSqlite, recordStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { FileBackend } from "../../plugins/records-file/file-backend.ts";
import { say } from "./say.ts";

/**
 * A process that writes to a file of records: `insert` goes on until it is killed and prints every record it was told is
 * kept; `count` raises a shared counter so many times; `hold` keeps the file locked until its input ends, and prints when
 * it has it.
 */
const [path = "", task = "", more = "0"] = process.argv.slice(2);
const backend = new FileBackend({ path, timeout: 10_000, pollInterval: 100 });
const records = recordStore(backend, silentLogger).collection<{ n: number }>({ name: "written", schemaVersion: 1 });

if (task === "hold") await hold();
else if (task === "insert") await Promise.all(Array.from({ length: 8 }, (_, lane) => insertFrom(lane)));
else await raise(Number(more));
await backend.close();

async function hold(): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path);
  database.exec("PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE");
  say("held");
  await once(process.stdin.resume(), "end");
  database.exec("ROLLBACK");
  database.close();
}

async function insertFrom(lane: number): Promise<void> {
  for (let n = 0; ; n++) {
    const { id } = await records.insert({ tenant: "t", id: `${more}-${lane}-${n}`, document: { n } });
    say(id);
  }
}

async function raise(times: number): Promise<void> {
  const key = { tenant: "t", id: "counter" };
  for (let done = 0; done < times; ) {
    const there = await records.get(key);
    const step = there
      ? records.update({ ...key, version: there.version }, { document: { n: there.document.n + 1 } })
      : records.insert({ ...key, document: { n: 1 } });
    const won = await step.catch((error: { readonly reason?: string }) => {
      if (error.reason !== "conflict" && error.reason !== "exists") throw error;
      return undefined;
    });
    if (won) done++;
  }
}
