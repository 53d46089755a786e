import type { Prepared } from "./sqlite.ts";

/** What the writing thread can be told to do: by name, what each write takes and gives. */
export type WriteNames<Writes> = {
  readonly [Name in keyof Writes]: { readonly input: unknown; readonly result: unknown };
};

/** The writes themselves. Each is a part of a transaction that others may share. */
export type WriteTable<Writes extends WriteNames<Writes>> = {
  readonly [Name in keyof Writes]: (database: Prepared, input: Writes[Name]["input"]) => Writes[Name]["result"];
};

/**
 * What a plugin exports from the module that is imported in the writing thread. The module imports nothing but types and
 * files beside it: a thread has modules of its own.
 */
export interface FileContents {
  /** Raised when the tables change, or what is in them; a file of a later format is refused. */
  readonly format: number;
  /** By an earlier format, SQL that takes a file of it to the next; empty where what is there may stay as it is. */
  readonly upgrades?: Readonly<Record<number, string>>;
  /** SQL that makes the tables of an empty file. */
  readonly tables: string;
  /** Bytes of a page of a new file, a power of two; SQLite's own otherwise. Large rows waste less of large pages. */
  readonly pageSize?: number;
  readonly writes: Readonly<Record<string, (database: Prepared, input: never) => unknown>>;
}
