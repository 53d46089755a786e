import type { Logger } from "../model/logger.ts";
import type { LogEntry, LogSelection, LogsRemoved, LogsService, PackedLog } from "../services/logs.ts";
import { madeInTurns } from "../time/in-turns.ts";
import type { FoundLog, LogBackend } from "./backend.ts";
import { unpacked } from "./packed.ts";
import { packedLog } from "./packed-log.ts";
import { unpackedRow } from "./packed-row.ts";
import { checkedSelection, cursorOf, rowsQuery } from "./query.ts";
import type { Retention } from "./retention.ts";

/** The service of a plugin that provides logs, and what that plugin calls itself. */
export interface LogStore extends LogsService {
  /** To be called now and then: removes some of what is over the limits; whether there is more. Never rejects. */
  tend(): Promise<boolean>;
}

export interface LogStoreOptions {
  readonly retention: Retention;
  readonly log: Logger;
  /** The clock of this process in Unix milliseconds. */
  readonly now?: () => number;
}

const day = 24 * 60 * 60 * 1000;

/** Makes the service of what a store knows. */
export function logStore(backend: LogBackend, { retention, log, now = Date.now }: LogStoreOptions): LogStore {
  const before = (days: number) => (days === 0 ? undefined : now() - days * day);
  const store: LogStore = {
    get available() {
      return backend.available;
    },
    async append(entries) {
      if (entries.length === 0) return;
      await backend.append(entries.every(isPacked) ? entries : await madeInTurns(entries, readyOf));
    },
    packed: packedLog,
    async get(key) {
      const found = await backend.get(key);
      return found && entryOf(found);
    },
    async find(query) {
      const wanted = rowsQuery(query);
      const found = await backend.find(wanted);
      const shown = found.slice(0, wanted.limit - 1);
      const last = found.length > shown.length ? shown.at(-1) : undefined;
      const rows = shown.map(({ row }) => unpackedRow(row));
      return { rows, ...(last && { next: cursorOf(last, query.order) }) };
    },
    count: async (selection: LogSelection) => backend.count(checkedSelection(selection)),
    remove: (limits) => backend.remove(limits),
    feedback: {
      async put(feedback) {
        if (feedback.length > 0) await backend.putFeedback(feedback);
      },
      get: (key) => backend.getFeedback(key),
    },
    async tend() {
      const objectsBefore = before(retention.objectDays);
      const rowsBefore = before(retention.rowDays);
      const { maxBytes } = retention;
      const removed = await store
        .remove({
          ...(objectsBefore !== undefined && { objectsBefore }),
          ...(rowsBefore !== undefined && { rowsBefore }),
          ...(maxBytes !== undefined && { bytes: maxBytes }),
        })
        .catch((error: unknown): LogsRemoved => {
          log.debug("old logs were not removed", { error });
          return { objects: 0, rows: 0, more: false };
        });
      return removed.more;
    },
  };
  return store;
}

const isPacked = (entry: LogEntry | PackedLog): entry is PackedLog => "pieces" in entry;

const readyOf = (entry: LogEntry | PackedLog): PackedLog => (isPacked(entry) ? entry : packedLog(entry));

function entryOf({ workspace, row, object }: FoundLog): LogEntry {
  return {
    workspace,
    row: unpackedRow(row),
    ...(object && { object: unpacked(object.head, object.bytes) }),
  };
}
