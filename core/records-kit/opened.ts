import {
  type CollectionDefinition,
  type CollectionShape,
  RecordError,
  type StoredRecord,
} from "../services/records.ts";
import type { KeptShape, RecordBackend, RecordRow } from "./backend.ts";
import { sameShape } from "./checks.ts";
import { claimsOf, documentOf, termsOf, written } from "./document.ts";
import { laterSchema, refusal } from "./refusals.ts";

/** A shape that is kept while others write theirs is soon kept. */
const mostTries = 10;

/** Keeps the shape, unless this one or one of a later schema is kept already; which one is. */
export async function keptShape(backend: RecordBackend, shape: CollectionShape): Promise<KeptShape> {
  for (let tries = 0; tries < mostTries; tries++) {
    const kept = await backend.shapeOf(shape.name);
    if (kept && (kept.schemaVersion > shape.schemaVersion || sameShape(kept, shape))) return kept;
    const next = { ...shape, revision: (kept?.revision ?? 0) + 1 };
    if (await backend.keepShape(next, kept?.revision)) return next;
  }
  throw new RecordError("down", `${shape.name}: others keep changing its shape`);
}

const perRound = 100;

/** Brings rows of earlier revisions to this one: their schema, and what they are found by. */
export async function reshape<Document extends object>(
  backend: RecordBackend,
  definition: CollectionDefinition<Document>,
  shape: KeptShape,
  now: () => number,
): Promise<void> {
  for (;;) {
    const rows = await backend.older(shape.name, shape.revision, perRound, now());
    for (const row of rows) await reshapeOne(backend, definition, shape, row, now());
    if (rows.length < perRound) return;
  }
}

async function reshapeOne<Document extends object>(
  backend: RecordBackend,
  definition: CollectionDefinition<Document>,
  shape: KeptShape,
  row: RecordRow,
  now: number,
): Promise<void> {
  const { json, read } = written(shape.name, documentIn(definition, row));
  const { tenant, id, version, updatedAt } = row;
  const result = await backend.replace(
    shape.name,
    {
      tenant,
      id,
      version,
      updatedAt,
      json,
      schema: shape.schemaVersion,
      revision: shape.revision,
      terms: termsOf(shape, read),
      claims: claimsOf(shape, read),
      expected: { version, revision: row.revision },
    },
    now,
  );
  // Written or removed by somebody else in between, or expired: it is in order, or found again in the next round.
  if (result.kind === "duplicate" || result.kind === "schema") throw refusal(shape.name, row, result);
}

/** The document of a row in the schema of today. */
export function documentIn<Document extends object>(
  { name, schemaVersion, upgrade }: CollectionDefinition<Document>,
  { tenant, id, schema, json }: RecordRow,
): Document {
  const which = `${name} "${id}" of "${tenant}"`;
  const document = documentOf(json);
  if (schema === schemaVersion) return document as Document;
  if (schema > schemaVersion) throw laterSchema(which, schema);
  if (!upgrade) throw new RecordError("schema", `${which} is in schema ${schema}, which nothing upgrades`);
  try {
    return upgrade(document, schema);
  } catch (cause) {
    throw new RecordError("schema", `${which} could not be upgraded from schema ${schema}`, [], cause);
  }
}

export function storedRecord<Document extends object>(
  definition: CollectionDefinition<Document>,
  row: RecordRow,
): StoredRecord<Document> {
  const { tenant, id, version, createdAt, updatedAt, expiresAt } = row;
  const document = documentIn(definition, row);
  return { id, tenant, version, createdAt, updatedAt, ...(expiresAt !== undefined && { expiresAt }), document };
}
