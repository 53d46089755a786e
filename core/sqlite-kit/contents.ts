import type { Prepared } from "./sqlite.ts";

/** What a thread can be told to do: by name, what each order takes and gives. */
export type OrderNames<Orders> = {
  readonly [Name in keyof Orders]: { readonly input: unknown; readonly result: unknown };
};

/**
 * What is done on each order. Of the thread that writes each is a part of a transaction that others may share; the one
 * that reads does one after the other.
 */
export type OrderTable<Orders extends OrderNames<Orders>> = {
  readonly [Name in keyof Orders]: (database: Prepared, input: Orders[Name]["input"]) => Orders[Name]["result"];
};

/** Orders as a thread knows them, that was told where they are and not what they are. */
export type Obeyed = Readonly<Record<string, (database: Prepared, input: never) => unknown>>;

/**
 * What a plugin exports from the module that is imported in the threads. The module imports nothing but types and files
 * beside it: a thread has modules of its own.
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
  readonly writes: Obeyed;
  /** Reads that may take long: they are done in a thread, and hold up neither requests nor writes. */
  readonly reads?: Obeyed;
}
