import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../errors/error-message.ts";
import { addressOf } from "../modules/module-address.ts";
import { committed } from "./commit.ts";
import type { FileContents, Obeyed } from "./contents.ts";
import type { Order, Ordered, Report, ThreadData } from "./orders.ts";
import { prepareForWriting } from "./prepare-for-writing.ts";
import { loadSqlite, type Prepared } from "./sqlite.ts";

const port = parentPort;
if (!port) throw new Error("runs as a thread only");
const say = (report: Report) => port.postMessage(report);

const { path, busyTimeout, contents } = workerData as ThreadData;
const opened = await open();
if (opened) obey(opened.database, opened.writes);

async function open(): Promise<{ database: Prepared; writes: Obeyed } | undefined> {
  try {
    const file = (await import(await addressOf(contents))) as FileContents;
    const { DatabaseSync } = await loadSqlite();
    const database = prepareForWriting(new DatabaseSync(path), busyTimeout, file);
    say({ opened: true });
    return { database, writes: file.writes };
  } catch (error) {
    say({ failed: errorMessage(error) });
    port?.close();
    return undefined;
  }
}

/** All that arrived while the last transaction went to the disk is the next one. */
function obey(database: Prepared, writes: Obeyed): void {
  let waiting: Ordered[] = [];
  const commit = () => {
    const batch = waiting;
    waiting = [];
    for (const report of committed(database, writes, batch)) say(report);
  };
  port?.on("message", (order: Order) => {
    if ("close" in order) {
      if (waiting.length > 0) commit();
      leave(database);
      port?.close();
      return;
    }
    waiting.push(order);
    if (waiting.length === 1) setImmediate(commit);
  });
}

/** Takes the log into the file as far as others let it; the next one to open does the rest. */
function leave({ database }: Prepared): void {
  try {
    database.exec("PRAGMA busy_timeout = 100; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The file is gone, or the disk is full: nothing that was acknowledged depends on this.
  }
  database.close();
}
