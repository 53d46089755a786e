/** What a thread begins with. */
export interface ThreadData {
  readonly path: string;
  readonly busyTimeout: number;
  /** The address of the module that exports `FileContents`. */
  readonly contents: string;
  /** The address of the module the thread runs. */
  readonly code: string;
}

/** Something that was asked for. */
export interface Ordered {
  readonly number: number;
  readonly name: string;
  readonly input: unknown;
  /** Until when somebody waits for it, in milliseconds since the epoch. */
  readonly until: number;
}

/** What a thread is told. */
export type Order = { readonly close: true } | Ordered;

/** How an order went; `late` is one that was not carried out, because its time was over. */
export type OrderReport =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly late: true }
  | { readonly number: number; readonly error: string };

/** What a thread says: that the file is open or cannot be opened, and how each order went. */
export type Report = { readonly opened: true } | { readonly failed: string } | OrderReport;
