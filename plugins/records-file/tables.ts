import { type Database, Prepared } from "./sqlite.ts";

/** Raised when the tables change; a file of a later format is refused. */
const format = 1;

const tables = `
CREATE TABLE collections (
  name TEXT PRIMARY KEY, schema INTEGER NOT NULL, revision INTEGER NOT NULL, indexes TEXT NOT NULL, uniques TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE records (
  number INTEGER PRIMARY KEY, collection TEXT NOT NULL, tenant TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  schema INTEGER NOT NULL, revision INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  expires INTEGER, terms TEXT NOT NULL, claims TEXT NOT NULL, document TEXT NOT NULL
);
CREATE UNIQUE INDEX records_by_key ON records (collection, tenant, id);
CREATE INDEX records_of_tenant ON records (collection, tenant, created, id);
CREATE INDEX records_of_all ON records (collection, created, tenant, id);
CREATE INDEX records_by_revision ON records (collection, revision);
CREATE INDEX records_by_expiry ON records (expires) WHERE expires IS NOT NULL;
CREATE TABLE terms (
  collection TEXT NOT NULL, tenant TEXT NOT NULL, term TEXT NOT NULL, created INTEGER NOT NULL, id TEXT NOT NULL,
  number INTEGER NOT NULL, PRIMARY KEY (collection, tenant, term, created, id)
) WITHOUT ROWID;
CREATE INDEX terms_of_all ON terms (collection, term, created, tenant, id);
CREATE INDEX terms_by_record ON terms (number, term);
CREATE TABLE claims (
  collection TEXT NOT NULL, tenant TEXT NOT NULL, claim TEXT NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (collection, tenant, claim)
) WITHOUT ROWID;
CREATE INDEX claims_by_record ON claims (number);
CREATE TABLE changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, collection TEXT NOT NULL, tenant TEXT NOT NULL,
  id TEXT NOT NULL, removed INTEGER NOT NULL
);
PRAGMA user_version = ${format};
`;

/** Makes a database ready to be written: what is acknowledged is on the disk, and readers are never in the way. */
export function prepareForWriting(database: Database, busyTimeout: number): Prepared {
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  enterWriteAheadLog(database, busyTimeout);
  database.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA journal_size_limit = 67108864");
  const prepared = new Prepared(database);
  database.exec("BEGIN IMMEDIATE");
  try {
    const { user_version: found = 0 } = prepared.get<{ user_version: number }>("PRAGMA user_version") ?? {};
    if (found > format) throw new Error(`a later version of the gateway has written it (format ${found})`);
    if (found === 0) database.exec(tables);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
  return prepared;
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
