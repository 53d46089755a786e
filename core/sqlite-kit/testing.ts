import { threadId } from "node:worker_threads";
import type { OrderTable } from "./contents.ts";

export interface NoteWrites {
  add: { readonly input: { readonly text: string }; readonly result: number };
}

export interface NoteReads {
  all: { readonly input: null; readonly result: string[] };
  thread: { readonly input: null; readonly result: number };
  refuse: { readonly input: null; readonly result: never };
}

export const format = 1;

export const tables = "CREATE TABLE notes (text TEXT NOT NULL)";

export const writes: OrderTable<NoteWrites> = {
  add(database, { text }) {
    database.run("INSERT INTO notes (text) VALUES (?)", text);
    return threadId;
  },
};

export const reads: OrderTable<NoteReads> = {
  all: (database) => database.all<{ text: string }>("SELECT text FROM notes").map(({ text }) => text),
  thread: () => threadId,
  refuse: (database) => database.get("SELECT missing FROM notes") as never,
};
