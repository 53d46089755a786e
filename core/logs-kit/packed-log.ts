import { type LogColumn, type LogEntry, type LogRow, logColumns, type PackedLog } from "../services/logs.ts";
import type { KeptLog } from "./backend.ts";
import { packed } from "./packed.ts";
import { packedRow } from "./packed-row.ts";
import { invalid } from "./query.ts";
import { TextSlab } from "./text-slab.ts";

/** Columns in the order in which packed entries have them. */
export const packedColumns = Object.keys(logColumns) as LogColumn[];

const special = ["_user", "_environment", "_organisation", "_prompt"] as const;

/** What an entry is found by: organisation, id, Unix milliseconds, metadata as JSON, and the columns. */
type Key = [string, string, number, string, ...(string | number | null)[]];

const none: PackedLog["pieces"] = [];
const slab = new TextSlab();

/** Throws an `invalid` where no store would take it. */
export function packedLog({ workspace, row, object }: LogEntry): PackedLog {
  const created = Date.parse(row.created_at);
  if (!Number.isSafeInteger(created)) throw invalid(`"${row.created_at}" is no instant`);
  const columns = packedColumns.map((name) => (name === "workspace" ? workspace : row[name]));
  const key: Key = [row.organisation_id, row.id, created, JSON.stringify(metadataOf(row)), ...columns];
  const { head, pieces } = object ? packed(object) : { head: "", pieces: none };
  const { bytes, lengths } = slab.write(JSON.stringify(key), packedRow(row), head);
  return { bytes, key: lengths[0] ?? 0, row: lengths[1] ?? 0, pieces };
}

/** For stores that take entries apart. */
export function keptLog({ bytes, key, row, pieces }: PackedLog): KeptLog {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const [organisation, id, created, metadata, ...columns] = JSON.parse(text.toString("utf8", 0, key)) as Key;
  const head = text.toString("utf8", key + row);
  return {
    organisation,
    id,
    created,
    column: (name) => columns[packedColumns.indexOf(name)] ?? null,
    metadata: JSON.parse(metadata) as KeptLog["metadata"],
    row: text.toString("utf8", key, key + row),
    ...(head !== "" && { object: { head, pieces } }),
  };
}

/** An entry that is packed already, with another object in place of its own; its bodies are gone. */
export function withHead(log: PackedLog, changed: (head: string) => string): PackedLog {
  const { row, object } = keptLog(log);
  if (!object) return log;
  const key = Buffer.from(log.bytes.buffer, log.bytes.byteOffset, log.key).toString();
  const { bytes, lengths } = slab.write(key, row, changed(object.head));
  return { bytes, key: lengths[0] ?? 0, row: lengths[1] ?? 0, pieces: none };
}

/** All metadata of a row, as it is asked for. */
function metadataOf(row: LogRow): Record<string, string> {
  const pairs = row["metadata.key"].map((key, at): [string, string] => [key, row["metadata.value"][at] ?? ""]);
  for (const key of special) {
    const value = row[key];
    if (value !== null) pairs.push([key, value]);
  }
  return Object.fromEntries(pairs);
}
