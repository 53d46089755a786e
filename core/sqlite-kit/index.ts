/** What plugins that keep something in an SQLite file of their own are made from. */
export type { FileContents, OrderNames, OrderTable } from "./contents.ts";
export { repeatedly } from "./repeatedly.ts";
export { loadSqlite, type Prepared, type Row, type Value } from "./sqlite.ts";
export { SqliteFile } from "./sqlite-file.ts";
export { whyNotWritable } from "./why-not-writable.ts";
