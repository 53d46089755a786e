import type { FileContents } from "./contents.ts";
import { type Database, Prepared } from "./sqlite.ts";

/** Makes a database ready to be written: what is acknowledged is on the disk, and readers are never in the way. */
export function prepareForWriting(
  database: Database,
  busyTimeout: number,
  { format, upgrades, tables, pageSize }: Omit<FileContents, "writes">,
): Prepared {
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  // Of a file that has pages already it changes nothing.
  if (pageSize !== undefined) database.exec(`PRAGMA page_size = ${pageSize}`);
  enterWriteAheadLog(database, busyTimeout);
  database.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA journal_size_limit = 67108864");
  const prepared = new Prepared(database);
  database.exec("BEGIN IMMEDIATE");
  try {
    const { user_version: found = 0 } = prepared.get<{ user_version: number }>("PRAGMA user_version") ?? {};
    if (found > format) throw new Error(`a later version of the gateway has written it (format ${found})`);
    if (found === 0) database.exec(tables);
    else for (let at = found; at < format; at++) database.exec(upgradeFrom(at, upgrades));
    if (found !== format) database.exec(`PRAGMA user_version = ${format}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
  return prepared;
}

function upgradeFrom(format: number, upgrades: FileContents["upgrades"]): string {
  const sql = upgrades?.[format];
  if (sql === undefined) throw new Error(`a version of the gateway has written it that is too old (format ${format})`);
  return sql;
}

const pause = 20;

/** When several processes make the file at once, SQLite refuses this step without waiting. */
function enterWriteAheadLog(database: Database, patience: number): void {
  const until = performance.now() + patience;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (performance.now() > until || !/locked|busy/i.test(String(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
}
