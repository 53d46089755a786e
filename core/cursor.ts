/** A place in an order, as callers carry it from page to page: it says nothing to them. */
export const cursorOfParts = (parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString("base64url");

/** What a cursor was made of; empty where it is none. */
export function partsOfCursor(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
