import type {
  Feedback,
  LogColumn,
  LogCondition,
  LogKey,
  LogLimits,
  LogSelection,
  LogsRemoved,
  PackedLog,
} from "../services/logs.ts";

/** An entry as stores keep it that take it apart. */
export interface KeptLog extends LogKey {
  /** Unix milliseconds. */
  readonly created: number;
  /** What it is found by; null where it is not known. */
  column(name: LogColumn): string | number | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The row, as text; `FoundLog` has it back. */
  readonly row: string;
  readonly object?: KeptObject;
}

/** An object as JSON in which every body is a range of the bytes. */
export interface KeptObject {
  readonly head: string;
  /** The bytes, in pieces that follow each other. */
  readonly pieces: readonly Uint8Array[];
}

/** What is read of an entry. */
export interface FoundLog {
  readonly workspace: string | null;
  readonly row: string;
  readonly object?: { readonly head: string; readonly bytes: Uint8Array };
}

/** A place in the order of rows. */
export interface LogPosition {
  readonly created: number;
  readonly id: string;
}

export interface RowsQuery extends LogSelection {
  readonly where: readonly LogCondition[];
  readonly newest: boolean;
  readonly limit: number;
  readonly skip: number;
  readonly after?: LogPosition;
}

/**
 * What a store has to know; `logStore` makes the service of it, so that all stores behave alike. Everything rejects with a
 * `LogError` of the reason `down`, and with no other.
 */
export interface LogBackend {
  readonly available: boolean;
  /** Leaves out what is there already. */
  append(entries: readonly PackedLog[]): Promise<void>;
  get(key: LogKey): Promise<FoundLog | undefined>;
  find(query: RowsQuery): Promise<readonly (LogPosition & { readonly row: string })[]>;
  count(selection: LogSelection & { readonly where: readonly LogCondition[] }): Promise<number>;
  remove(limits: LogLimits): Promise<LogsRemoved>;
  putFeedback(feedback: readonly Feedback[]): Promise<void>;
  getFeedback(key: LogKey): Promise<Feedback | undefined>;
}
