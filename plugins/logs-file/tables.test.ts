import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { type LogColumn, type LogRow, loadSqlite, logStore } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { rowPlaces } from "../../core/logs-kit/packed-log.ts";
import { packedRow } from "../../core/logs-kit/packed-row.ts";
import { logEntry, logRow } from "../../test/support/log-entries.ts";
import { FileBackend } from "./file-backend.ts";
import { places } from "./tables.ts";

it("knows where the values of a row stand", () => {
  const { workspace: _, trace_id: __, ...others } = rowPlaces;
  expect(places).toEqual(others);
});

/** A file as it was made up to format 2: a column for each value. */
async function fileOf(path: string, format: number, kept: readonly [LogRow, string][]): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path);
  const columns = Object.keys(rowPlaces) as LogColumn[];
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE rows (
      number INTEGER PRIMARY KEY, organisation TEXT NOT NULL, id TEXT NOT NULL, created INTEGER NOT NULL,
      metadata TEXT, content TEXT NOT NULL, ${columns.join(", ")}
    );
    CREATE UNIQUE INDEX rows_by_id ON rows (organisation, id);
    CREATE INDEX rows_of_organisation ON rows (organisation, created, id);
    CREATE INDEX rows_of_workspace ON rows (organisation, workspace, created, id);
    CREATE INDEX rows_of_trace ON rows (organisation, trace_id);
    CREATE TABLE objects (number INTEGER PRIMARY KEY, created INTEGER NOT NULL, head TEXT NOT NULL, bytes BLOB NOT NULL);
    CREATE TABLE feedback (
      number INTEGER PRIMARY KEY, organisation TEXT NOT NULL, id TEXT NOT NULL, trace TEXT NOT NULL,
      created INTEGER NOT NULL, weighted REAL NOT NULL, content TEXT NOT NULL
    );
    PRAGMA user_version = ${format};`);
  const names = ["organisation", "id", "created", "metadata", "content", ...columns];
  const insert = database.prepare(`INSERT INTO rows (${names.join()}) VALUES (${names.map(() => "?").join()})`);
  for (const [row, content] of kept) {
    const values = columns.map((name) => (name === "workspace" ? "w" : (row[name] ?? null)));
    insert.run(row.organisation_id, row.id, Date.parse(row.created_at), "{}", content, ...values);
  }
  database.close();
}

it.each([1, 2])("finds rows of a file of format %i beside new ones", async (format) => {
  const path = join(temporaryFolder(), "logs.db");
  const cost = { cost: 2.5, response_status_code: 429, ai_model: "m-1" };
  const old = logRow({ id: "old", ...cost });
  await fileOf(path, format, [
    [old, format === 1 ? JSON.stringify(old) : packedRow(old)],
    [logRow({ id: "other" }), packedRow(logRow({ id: "other" }))],
  ]);
  const backend = new FileBackend({ path, timeout: 10_000 });
  onTestFinished(() => backend.close());
  const store = logStore(backend, { retention: { objectDays: 0, rowDays: 0 }, log: silentLogger });
  await store.append([logEntry({ id: "new", ...cost })]);
  const where = [
    { column: "ai_model", in: ["m-1"] },
    { column: "cost", min: 2, max: 3 },
    { column: "response_status_code", in: [429, 500] },
  ] as const;
  const organisation = old.organisation_id;
  const { rows } = await store.find({ organisation, where });
  expect(rows.map(({ id }) => id).sort()).toEqual(["new", "old"]);
  expect(rows.find(({ id }) => id === "old")).toEqual(old);
  expect(await store.count({ organisation })).toBe(3);
  expect(await store.count({ organisation, where: [{ column: "workspace", in: ["w"] }] })).toBe(2);
});
