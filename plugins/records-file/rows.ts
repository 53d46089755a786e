import type { RecordRow } from "../../core/index.ts";

/** A row of the table `records`. */
export interface KeptRow {
  readonly number: number;
  readonly tenant: string;
  readonly id: string;
  readonly version: number;
  readonly schema: number;
  readonly revision: number;
  readonly created: number;
  readonly updated: number;
  readonly expires: number | null;
  readonly terms: string;
  readonly claims: string;
  readonly document: string;
}

export const recordRow = (row: KeptRow): RecordRow => ({
  tenant: row.tenant,
  id: row.id,
  version: row.version,
  schema: row.schema,
  revision: row.revision,
  createdAt: row.created,
  updatedAt: row.updated,
  ...(row.expires !== null && { expiresAt: row.expires }),
  json: row.document,
  terms: JSON.parse(row.terms) as string[],
  claims: JSON.parse(row.claims) as string[],
});
