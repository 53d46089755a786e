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

let sqlite: Promise<Sqlite> | undefined;

/**
 * The built-in SQLite where this Node has it, and otherwise the package. All of a process take the same one: two
 * libraries that have one file open lose each other's locks.
 */
export function loadSqlite(): Promise<Sqlite> {
  sqlite ??= builtIn().catch(async () => (await import("@photostructure/sqlite")) as unknown as Sqlite);
  return sqlite;
}

/** Node 22 calls it an experiment in every process and thread, on the operator's terminal: that is nothing to act upon. */
async function builtIn(): Promise<Sqlite> {
  const name = "node:sqlite";
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith("SQLite is an experimental"))
      Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return (await import(/* @vite-ignore */ name)) as Sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Statements kept ready at most. Conditions of callers make ever new ones, of which each takes some hundred kilobytes. */
const mostStatements = 200;

/** A database whose statements are prepared once, as long as they are not too many: the one prepared first makes room. */
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
    const [first] = this.#statements.keys();
    if (first !== undefined && this.#statements.size >= mostStatements) this.#statements.delete(first);
    this.#statements.set(sql, statement);
    return statement;
  }
}
