/** Raised when the tables change; a file of a later format is refused. */
export const format = 1;

export const tables = `
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
`;
