import { parentPort, workerData } from "node:worker_threads";
import { errorMessage } from "../errors/error-message.ts";
import { addressOf } from "../modules/module-address.ts";
import type { FileContents, Obeyed } from "./contents.ts";
import type { Order, Ordered, OrderReport, Report, ThreadData } from "./orders.ts";
import { loadSqlite, Prepared } from "./sqlite.ts";

const port = parentPort;
if (!port) throw new Error("runs as a thread only");
const say = (report: Report) => port.postMessage(report);

const { path, busyTimeout, contents } = workerData as ThreadData;
try {
  const { reads = {} } = (await import(await addressOf(contents))) as FileContents;
  const { DatabaseSync } = await loadSqlite();
  const database = new Prepared(new DatabaseSync(path, { readOnly: true }));
  database.database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  port.on("message", (order: Order) => {
    if (!("close" in order)) return say(answered(database, reads, order));
    database.database.close();
    port.close();
  });
  say({ opened: true });
} catch (error) {
  say({ failed: errorMessage(error) });
  port.close();
}

/** What nobody waits for any more is not looked for. */
function answered(database: Prepared, reads: Obeyed, { number, name, input, until }: Ordered): OrderReport {
  if (until < Date.now()) return { number, late: true };
  try {
    return { number, result: reads[name]?.(database, input as never) };
  } catch (error) {
    return { number, error: errorMessage(error) };
  }
}
