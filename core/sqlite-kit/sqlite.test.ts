import { expect, it } from "vitest";
import { type Database, Prepared } from "./sqlite.ts";

it("prepares statements once, and keeps no more of them than are asked again and again", () => {
  const made: string[] = [];
  const prepare = (sql: string) => {
    made.push(sql);
    return { all: () => [sql], get: () => sql, run: () => ({ changes: 0, lastInsertRowid: 0 }) };
  };
  const database: Database = { prepare, exec: () => undefined, close: () => undefined };
  const prepared = new Prepared(database);
  const sql = (at: number) => `SELECT ${at}`;
  for (let at = 0; at < 200; at++) prepared.get(sql(at));
  for (let at = 0; at < 200; at++) expect(prepared.get(sql(at))).toBe(sql(at));
  expect(made).toHaveLength(200);
  prepared.get(sql(200));
  prepared.get(sql(199));
  expect(made).toHaveLength(201);
  prepared.get(sql(0));
  expect(made).toHaveLength(202);
});
