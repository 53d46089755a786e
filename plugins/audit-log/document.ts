import { createHash } from "node:crypto";
import type { CollectionDefinition } from "../../core/index.ts";
import type { AuditEntry } from "./entry.ts";

/** An entry in its place in the chain of its organisation, as it is kept: flat, so that its digest is of all of it. */
export interface AuditDocument extends AuditEntry {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The digest of the entry before; null for the first one. */
  readonly previous: string | null;
  /** Until when the entry before is kept: one that is gone earlier was removed. Null is for ever. */
  readonly previous_until: string | null;
  readonly kept_until: string | null;
  /** Of the timestamp, UTC: `2026-09-02`. */
  readonly day: string;
  /** Which thousand of the chain it is in. */
  readonly block: number;
  readonly digest: string;
}

/** Where a chain ends; kept beside it, so that it is known when the end is gone. */
export interface Head {
  readonly sequence: number;
  readonly digest: string | null;
  readonly kept_until: string | null;
}

export const entriesDefinition: CollectionDefinition<AuditDocument> = {
  name: "audit_entries",
  schemaVersion: 1,
  indexes: ["block", "day", "request_id", "user_id", "workspace_id", "workspace_uuid", "resource_type"],
};

export const headsDefinition: CollectionDefinition<Head> = { name: "audit_heads", schemaVersion: 1 };

export const headId = "head";

/** The id of an entry is its number: no two entries of an organisation have the same one, whoever writes. */
export const idOf = (sequence: number): string => String(sequence).padStart(12, "0");

export const blockSize = 1000;

export const blockOf = (sequence: number): number => Math.floor((sequence - 1) / blockSize);

/** The beginning of a chain that has no entry. */
export const start: Head = { sequence: 0, digest: null, kept_until: null };

/** An entry behind another one. `keptUntil` is in Unix milliseconds. */
export function linked(
  organisation: string,
  entry: AuditEntry,
  before: Head,
  keptUntil: number | undefined,
): AuditDocument {
  const sequence = before.sequence + 1;
  const content = {
    ...entry,
    sequence,
    previous: before.digest,
    previous_until: before.kept_until,
    kept_until: keptUntil === undefined ? null : new Date(keptUntil).toISOString(),
    day: entry.timestamp.slice(0, 10),
    block: blockOf(sequence),
  };
  return { ...content, digest: digestOf(organisation, content) };
}

/** SHA-256, in hexadecimal, of the organisation and every field but the digest itself, by name. */
export function digestOf(organisation: string, document: object): string {
  const fields = Object.entries(document)
    .filter(([name]) => name !== "digest")
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([organisation, fields]))
    .digest("hex");
}

export const headOf = ({ sequence, digest, kept_until }: AuditDocument): Head => ({ sequence, digest, kept_until });
