import type { RecordNotice } from "../../core/index.ts";
import { type Kept, prefix } from "./documents.ts";

/** One way to hear of changes, under way. */
export interface Following {
  stop(): Promise<void>;
}

/** What hears of them. */
export interface Hearing {
  /** The collections that somebody wants to hear of. */
  readonly collections: () => string[];
  change(notice: RecordNotice): void;
  /** Some may have been lost. */
  missed(): void;
  /** It cannot go on: somebody has to begin anew. */
  ended(): void;
}

/** What a write left of a document, as far as it is told. */
export type Left = Partial<Pick<Kept, "removed" | "version" | "updated">>;

/** What a document's key and state tell. */
export function noticeOf(collection: string, key: string, { removed, version, updated }: Left): RecordNotice {
  const end = key.indexOf("\n");
  const place = { collection: collection.slice(prefix.length), tenant: key.slice(0, end), id: key.slice(end + 1) };
  if (removed) return { ...place, kind: "removed" };
  const written = version !== undefined && updated && { version, updatedAt: updated.getTime() };
  return { ...place, kind: "written", ...(written && { written }) };
}
