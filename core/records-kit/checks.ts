import type { CollectionDefinition, CollectionShape, RecordKey } from "../services/records.ts";
import { RecordError } from "../services/records.ts";

/** The bytes of JSON a document may have, so that it fits every store with what is kept beside it. */
export const largestDocument = 8 * 1024 * 1024;

const longestKey = 256;
const collectionName = /^[a-z][a-z0-9_]{0,62}$/;
const fieldName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Control characters, and halves of characters: not every store can keep them. */
const unkeepable = /[\p{Cc}\p{Cs}]/u;

export const invalid = (message: string, cause?: unknown): RecordError =>
  new RecordError("invalid", message, [], cause);

/** The shape of a definition, whose names are names and whose version counts from 1. */
export function checkedShape<Document extends object>(definition: CollectionDefinition<Document>): CollectionShape {
  const { name, schemaVersion, indexes = [], unique = [] } = definition;
  if (!collectionName.test(name))
    throw invalid(`"${name}" is no name of a collection: lower case with underscores, at most 63 characters`);
  if (!Number.isSafeInteger(schemaVersion) || schemaVersion < 1)
    throw invalid(`${name}: schemaVersion is ${schemaVersion}, but counts from 1`);
  for (const field of [...indexes, ...unique.flat()])
    if (!fieldName.test(field)) throw invalid(`${name}: "${field}" is no name of a field that can be indexed`);
  if (unique.some((group) => group.length === 0)) throw invalid(`${name}: a group of unique fields names none`);
  return {
    name,
    schemaVersion,
    indexes: [...new Set(indexes)].sort(),
    unique: [...new Map(unique.map((group) => [group.join(), [...group]])).values()].sort(byText),
  };
}

const byText = (left: readonly string[], right: readonly string[]): number => (left.join() < right.join() ? -1 : 1);

export const sameShape = (left: CollectionShape, right: CollectionShape): boolean => textOf(left) === textOf(right);

const textOf = ({ schemaVersion, indexes, unique }: CollectionShape): string =>
  JSON.stringify([schemaVersion, indexes, unique]);

export function checkKey(collection: string, { tenant, id }: RecordKey): void {
  checkText(collection, "tenant", tenant);
  checkText(collection, "id", id);
}

/** Whether there can be a record of that id. */
export const isKey = (text: string): boolean => text !== "" && text.length <= longestKey && !unkeepable.test(text);

export function checkText(collection: string, what: string, text: unknown): void {
  if (typeof text !== "string" || !isKey(text))
    throw invalid(`${collection}: ${what} must be a text of 1 to ${longestKey} characters without control characters`);
}

export function checkVersion(collection: string, version: number): void {
  if (!Number.isSafeInteger(version) || version < 1)
    throw invalid(`${collection}: ${version} is no version of a record: they count from 1`);
}

/** The last millisecond a date can have. */
const lastMoment = 8.64e15;

export function checkMoment(collection: string, expiresAt: number | null | undefined): void {
  if (expiresAt === null || expiresAt === undefined) return;
  if (!Number.isSafeInteger(expiresAt) || expiresAt < 0 || expiresAt >= lastMoment)
    throw invalid(`${collection}: expiresAt must be Unix milliseconds, not ${expiresAt}`);
}
