import { expect, it } from "vitest";
import { prepareForWriting } from "./prepare-for-writing.ts";
import { loadSqlite } from "./sqlite.ts";

const { DatabaseSync } = await loadSqlite();
const first = { format: 1, tables: "CREATE TABLE notes (text TEXT)" };
const third = {
  format: 3,
  tables: "CREATE TABLE notes (text TEXT, author TEXT)",
  upgrades: { 1: "ALTER TABLE notes ADD COLUMN author TEXT", 2: "" },
};

it("takes a file of an earlier format to its own, and what is in it stays", () => {
  const database = new DatabaseSync(":memory:");
  prepareForWriting(database, 100, first).run("INSERT INTO notes VALUES (?)", "a");
  for (let time = 0; time < 2; time++) {
    const prepared = prepareForWriting(database, 100, third);
    expect(prepared.all("SELECT text, author FROM notes")).toMatchObject([{ text: "a", author: null }]);
    expect(prepared.get("PRAGMA user_version")).toMatchObject({ user_version: 3 });
  }
});

it("refuses one that is too old or too new, and leaves it as it is", () => {
  const database = new DatabaseSync(":memory:");
  const prepared = prepareForWriting(database, 100, first);
  expect(() => prepareForWriting(database, 100, { ...third, upgrades: { 2: "" } })).toThrow("too old (format 1)");
  expect(prepared.get("PRAGMA user_version")).toMatchObject({ user_version: 1 });
  prepareForWriting(database, 100, third);
  expect(() => prepareForWriting(database, 100, first)).toThrow("a later version");
  expect(prepared.get("PRAGMA user_version")).toMatchObject({ user_version: 3 });
});
