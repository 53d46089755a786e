import { serviceToken } from "../service-token.ts";
import type { LogRow } from "./log-row.ts";

export type { LogRow };

/**
 * What requests were, for those who ask later (observability.md sections 2 to 4): appended in batches, found by filter,
 * removed by age and size. An entry is there whole or not at all, and once, however often it is appended. Methods reject
 * with a `LogError`.
 */
export interface LogsService {
  /** False while the store is known to be down. */
  readonly available: boolean;
  /** Resolves when all of it is kept, and seen by every process that shares the store. */
  append(entries: readonly (LogEntry | PackedLog)[]): Promise<void>;
  /** Makes an entry ready to be appended later. Throws an `invalid` where no store would take it. */
  packed(entry: LogEntry): PackedLog;
  get(key: LogKey): Promise<LogEntry | undefined>;
  /** Rows without their objects. */
  find(query: LogQuery): Promise<LogPage>;
  count(selection: LogSelection): Promise<number>;
  /** Removes what is over a limit, oldest first, some of it at a time; `more` when there is more to remove. */
  remove(limits: LogLimits): Promise<LogsRemoved>;
  readonly feedback: FeedbackLog;
}

export interface LogKey {
  readonly organisation: string;
  readonly id: string;
}

export interface LogEntry {
  /** The id of the workspace; null where there is none. */
  readonly workspace: string | null;
  readonly row: LogRow;
  /** Absent when it is older than objects are kept. */
  readonly object?: LogObject;
}

/**
 * What an entry is told from others by, and what its row does not say: stores need not read the row for it. A list, since names
 * would be written and read for every entry.
 */
export type PackedKey = readonly [
  organisation: string,
  id: string,
  /** Unix milliseconds. */
  created: number,
  workspace: string | null,
  trace: string,
  /** All of it, as it is asked for: the JSON of an object of texts. */
  metadata: string,
];

/** An entry as bytes outside of the heap: what waits to be kept costs no collection of garbage anything. */
export interface PackedLog {
  /** Three JSON texts in UTF-8, one after the other: what is beside its row, the row, the object without its bodies. */
  readonly bytes: Uint8Array;
  /** How many of them are the first, and how many the second; the rest, if any, is the third. */
  readonly key: number;
  readonly row: number;
  /** The bodies of the object, which follow each other. */
  readonly pieces: readonly Uint8Array[];
}

/** What rows are found by, and what aggregates will be made of. `workspace` is that of the entry. */
export const logColumns = {
  workspace: "text",
  workspace_slug: "text",
  user_id: "text",
  api_key_id: "text",
  ai_org: "text",
  ai_model: "text",
  virtual_key: "text",
  config: "text",
  config_id: "text",
  prompt_id: "text",
  prompt_slug: "text",
  trace_id: "text",
  span_id: "text",
  internal_trace_id: "text",
  source: "text",
  mode: "text",
  endpoint_type: "text",
  cache_status: "text",
  _user: "text",
  response_status_code: "number",
  response_time: "number",
  req_units: "number",
  res_units: "number",
  total_units: "number",
  cost: "number",
  retry_success_count: "number",
  last_used_option_index: "number",
} as const satisfies { readonly [Column in keyof LogRow | "workspace"]?: "text" | "number" };

export type LogColumn = keyof typeof logColumns;

/** A request and its answer with their content (observability.md section 3). Headers are masked before they get here. */
export interface LogObject {
  readonly request: LogPhase & {
    readonly url: string;
    readonly method: string;
    readonly gatewayHeaders: Readonly<Record<string, string>>;
  };
  readonly response: Pick<LogPhase, "headers" | "body"> & {
    readonly status: number;
    readonly responseTime: number;
    readonly lastUsedOptionJsonPath: string;
  };
  readonly finalUntransformedRequest?: LogPhase;
  readonly transformedRequest?: LogPhase;
  readonly originalResponse?: LogPhase;
  /** What a prompt was rendered with: as JSON. */
  readonly variables?: Pick<LogPhase, "body">;
  readonly hook_results?: unknown;
  readonly cache?: Readonly<Record<string, unknown>>;
  readonly execution_time?: number;
  readonly client_disconnected?: true;
  /** The answer ended before it was finished. */
  readonly truncated?: true;
  /** The layout of this object. */
  readonly log_format: "v1";
}

export interface LogPhase {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: LogBody;
}

/** A body as it was on the wire, unread. */
export interface LogBody {
  readonly bytes: Uint8Array;
  /** Only its beginning was kept. */
  readonly truncated?: true;
}

export interface LogSelection {
  readonly organisation: string;
  /** Unix milliseconds: from here on, and before there. */
  readonly from?: number;
  readonly to?: number;
  /** All must hold. */
  readonly where?: readonly LogCondition[];
}

/** What is unknown of a row is in no list and within no bounds. */
export type LogCondition =
  | { readonly column: LogColumn; readonly in: readonly (string | number)[] }
  | { readonly column: LogColumn; readonly min?: number; readonly max?: number }
  /** All pairs are there. */
  | { readonly metadata: Readonly<Record<string, string>> }
  /** The mean of value times weight over the feedback of the row's trace. */
  | { readonly feedback: { readonly min?: number; readonly max?: number } }
  | { readonly any: readonly LogCondition[] }
  | { readonly all: readonly LogCondition[] };

export interface LogQuery extends LogSelection {
  /** By when they began, newest first unless said otherwise; of the same millisecond, by id. */
  readonly order?: "newest" | "oldest";
  /** From 1 to 1000; 100 unless said otherwise. */
  readonly limit?: number;
  /** `next` of the page before: it stays right while entries come. */
  readonly after?: string;
  /** Rows left out at the beginning. */
  readonly skip?: number;
}

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** Absent on the last page. */
  readonly next?: string;
}

export interface LogLimits {
  /** Unix milliseconds before which objects, and rows with their objects and feedback, are removed. */
  readonly objectsBefore?: number;
  readonly rowsBefore?: number;
  /** Above so many bytes objects are removed, and rows when no object is left. */
  readonly bytes?: number;
}

export interface LogsRemoved {
  readonly objects: number;
  readonly rows: number;
  readonly more: boolean;
}

/** What somebody thought of the answers of a trace. */
export interface Feedback extends LogKey {
  readonly workspace: string | null;
  readonly traceId: string;
  /** From -10 to 10. */
  readonly value: number;
  /** From 0 to 1. */
  readonly weight: number;
  readonly metadata: Readonly<Record<string, string>>;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface FeedbackLog {
  /** Those whose id is there already take the place of what is there. */
  put(feedback: readonly Feedback[]): Promise<void>;
  get(key: LogKey): Promise<Feedback | undefined>;
}

/** Why the store did not do what it was asked: it cannot be reached in time, or the call itself is wrong. */
export class LogError extends Error {
  readonly reason: "down" | "invalid";

  constructor(reason: LogError["reason"], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Where the records of requests are kept. */
export const Logs = serviceToken<LogsService>("logs");
