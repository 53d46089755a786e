import {
  type LogColumn,
  type LogEntry,
  type LogRow,
  logColumns,
  type PackedKey,
  type PackedLog,
} from "../services/logs.ts";
import { instantOf } from "../time/written-instant.ts";
import type { KeptLog } from "./backend.ts";
import { packed } from "./packed.ts";
import { packedRow, placeInRow } from "./packed-row.ts";
import { invalid } from "./query.ts";
import { TextSlab } from "./text-slab.ts";

/** Where in a packed row stands what an entry is found by; `workspace` stands beside the row. */
export const rowPlaces: Readonly<Record<LogColumn, number>> = Object.fromEntries(
  Object.keys(logColumns).map((name) => [name, placeInRow(name)]),
) as Record<LogColumn, number>;

const special = ["_user", "_environment", "_organisation", "_prompt"] as const;

const none: PackedLog["pieces"] = [];
const slab = new TextSlab();

/** Throws an `invalid` where no store would take it. */
export function packedLog({ workspace, row, object }: LogEntry): PackedLog {
  const created = instantOf(row.created_at);
  if (!Number.isSafeInteger(created)) throw invalid(`"${row.created_at}" is no instant`);
  const key: PackedKey = [row.organisation_id, row.id, created, workspace, row.trace_id, metadataOf(row)];
  const { head, pieces } = object ? packed(object) : { head: "", pieces: none };
  const { bytes, lengths } = slab.write(JSON.stringify(key), packedRow(row), head);
  return { bytes, key: lengths[0] ?? 0, row: lengths[1] ?? 0, pieces };
}

/** For stores that take entries apart. */
export function keptLog({ bytes, key, row, pieces }: PackedLog): KeptLog {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const [organisation, id, created, workspace, , metadata] = JSON.parse(text.toString("utf8", 0, key)) as PackedKey;
  const rowText = text.toString("utf8", key, key + row);
  const values = JSON.parse(rowText) as (string | number | null)[];
  const head = text.toString("utf8", key + row);
  return {
    organisation,
    id,
    created,
    column: (name) => (name === "workspace" ? workspace : (values[rowPlaces[name]] ?? null)),
    metadata: JSON.parse(metadata) as Record<string, string>,
    row: rowText,
    ...(head !== "" && { object: { head, pieces } }),
  };
}

/** An entry that is packed already, with another object in place of its own; its bodies are gone. */
export function withHead(log: PackedLog, changed: (head: string) => string): PackedLog {
  const { key, row } = log;
  const text = Buffer.from(log.bytes.buffer, log.bytes.byteOffset, log.bytes.length);
  if (text.length === key + row) return log;
  const head = changed(text.toString("utf8", key + row));
  const { bytes } = slab.write(text.toString("utf8", 0, key), text.toString("utf8", key, key + row), head);
  return { bytes, key, row, pieces: none };
}

/** All metadata of a row, as it is asked for. */
function metadataOf(row: LogRow): string {
  const keys = row["metadata.key"];
  const values = row["metadata.value"];
  let pairs: [string, string][] | undefined;
  for (let at = 0; at < keys.length; at++) pairs = and(pairs, keys[at] as string, values[at] ?? "");
  for (const key of special) {
    const value = row[key];
    if (value !== null) pairs = and(pairs, key, value);
  }
  return pairs ? JSON.stringify(Object.fromEntries(pairs)) : "{}";
}

/** Most rows have no metadata: no list is made for them. */
function and(pairs: [string, string][] | undefined, key: string, value: string): [string, string][] {
  if (!pairs) return [[key, value]];
  pairs.push([key, value]);
  return pairs;
}
