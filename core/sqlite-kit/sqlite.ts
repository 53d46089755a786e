/** What SQLite takes and gives. */
export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  all(...values: Value[]): unknown[];
  get(...values: Value[]): unknown;
  run(...values: Value[]): Changed;
}

/** What a statement did: to how many rows, and the number of the last one that was inserted by anybody. */
export interface Changed {
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

/** The part of `node:sqlite` that is used here, which the package has as well. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Sqlite {
  DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => Database;
}

/**
 * The built-in SQLite where this Node has it, and otherwise the package. All of a process take the same one: two
 * libraries that have one file open lose each other's locks.
 */
export async function loadSqlite(): Promise<Sqlite> {
  const builtIn = "node:sqlite";
  try {
    return (await import(/* @vite-ignore */ builtIn)) as Sqlite;
  } catch {
    return (await import("@photostructure/sqlite")) as unknown as Sqlite;
  }
}

/** A database whose statements are prepared once. */
export class Prepared {
  readonly database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.database = database;
  }

  all<Found = Row>(sql: string, ...values: Value[]): Found[] {
    return this.#statement(sql).all(...values) as Found[];
  }

  get<Found = Row>(sql: string, ...values: Value[]): Found | undefined {
    return this.#statement(sql).get(...values) as Found | undefined;
  }

  run(sql: string, ...values: Value[]): Changed {
    return this.#statement(sql).run(...values);
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
