import { expect, it } from "vitest";
import { committed } from "./commit.ts";
import { loadSqlite, Prepared } from "./sqlite.ts";

const writes = {
  add: (database: Prepared, { text }: { readonly text: string }) => {
    database.run("INSERT INTO notes (text) VALUES (?)", text);
    return `${text} is kept`;
  },
};

async function notes() {
  const { DatabaseSync } = await loadSqlite();
  const database = new Prepared(new DatabaseSync(":memory:"));
  database.database.exec("CREATE TABLE notes (text TEXT NOT NULL UNIQUE)");
  return { database, kept: () => database.all<{ text: string }>("SELECT text FROM notes").map(({ text }) => text) };
}

const order = (number: number, text: string, until = Number.POSITIVE_INFINITY) => ({
  number,
  name: "add",
  input: { text },
  until,
});

it("does all that is waited for in one transaction, and nothing that nobody waits for any more", async () => {
  const { database, kept } = await notes();
  expect(committed(database, writes, [order(1, "a"), order(2, "late", Date.now() - 1), order(3, "b")])).toEqual([
    { number: 1, result: "a is kept" },
    { number: 2, late: true },
    { number: 3, result: "b is kept" },
  ]);
  expect(kept()).toEqual(["a", "b"]);
});

it("does nothing of a batch in which something throws", async () => {
  const { database, kept } = await notes();
  const error = expect.stringContaining("UNIQUE");
  expect(committed(database, writes, [order(1, "a"), order(2, "a")])).toEqual([
    { number: 1, error },
    { number: 2, error },
  ]);
  expect(kept()).toEqual([]);
});
