import { type RecordCollection, RecordError, type RecordsService } from "../../core/index.ts";
import {
  type AuditDocument,
  entriesDefinition,
  type Head,
  headId,
  headOf,
  headsDefinition,
  idOf,
  linked,
  start,
} from "./document.ts";
import type { AuditEntry } from "./entry.ts";

export interface ChainsParts {
  readonly records: RecordsService;
  /** How long entries are kept, in milliseconds; undefined is for ever. */
  readonly retention: number | undefined;
  readonly now: () => number;
  /** What may have been written, although nobody said so; handed on with the entries that wait. */
  readonly tried?: Tried;
}

export type Tried = WeakMap<AuditEntry, AuditDocument>;

/**
 * The chains of all organisations, as this process continues them. Others do at the same time: the number of an entry is
 * its id, so that of two who continue the same entry one succeeds, and the other one goes on behind it.
 */
export class Chains {
  readonly entries: RecordCollection<AuditDocument>;
  readonly heads: RecordCollection<Head>;
  readonly #parts: ChainsParts;
  /** The last entries this process knows of. */
  readonly #last = new Map<string, Head>();
  readonly #tried: Tried;

  constructor(parts: ChainsParts) {
    this.#parts = parts;
    this.#tried = parts.tried ?? new WeakMap();
    this.entries = parts.records.collection(entriesDefinition);
    this.heads = parts.records.collection(headsDefinition);
  }

  /**
   * Keeps an entry. Rejects with a `RecordError`: after a `down` it may be there all the same, and appending the same
   * object once more finds out, so that it is kept once.
   */
  async append(organisation: string, entry: AuditEntry): Promise<void> {
    for (;;) {
      const document = this.#tried.get(entry) ?? (await this.#next(organisation, entry));
      this.#tried.set(entry, document);
      if (await this.#inserted(organisation, document)) {
        this.#last.set(organisation, headOf(document));
        return;
      }
      this.#tried.delete(entry);
      this.#last.set(organisation, await this.#end(organisation, this.#last.get(organisation) ?? start));
    }
  }

  /** Writes down where the chain ends, for whoever continues it next, and for whoever checks it. */
  async settle(organisation: string): Promise<void> {
    const head = this.#last.get(organisation);
    if (!head) return;
    const key = { tenant: organisation, id: headId };
    for (;;) {
      const kept = await this.heads.get(key);
      if (kept && kept.document.sequence >= head.sequence) return;
      const write = kept
        ? this.heads.update({ ...key, version: kept.version }, { document: head })
        : this.heads.insert({ ...key, document: head });
      if (await settled(write)) return;
    }
  }

  async #next(organisation: string, entry: AuditEntry): Promise<AuditDocument> {
    const { retention, now } = this.#parts;
    const last = this.#last.get(organisation) ?? (await this.#end(organisation, start));
    this.#last.set(organisation, last);
    return linked(organisation, entry, last, retention === undefined ? undefined : now() + retention);
  }

  /** False where somebody else has taken the place. */
  async #inserted(organisation: string, document: AuditDocument): Promise<boolean> {
    const key = { tenant: organisation, id: idOf(document.sequence) };
    const until = document.kept_until;
    const expiry = until !== null && { expiresAt: Date.parse(until) };
    if (await settled(this.entries.insert({ ...key, document, ...expiry }))) return true;
    return (await this.entries.get(key))?.document.digest === document.digest;
  }

  /** The last entry, from one that is known on: where the head was left behind, entries follow it. */
  async #end(organisation: string, known: Head): Promise<Head> {
    const kept = await this.heads.get({ tenant: organisation, id: headId });
    let last = kept && kept.document.sequence > known.sequence ? kept.document : known;
    for (;;) {
      const next = await this.entries.get({ tenant: organisation, id: idOf(last.sequence + 1) });
      if (!next) return last;
      last = headOf(next.document);
    }
  }
}

/** False where somebody else was first. */
async function settled(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    const { reason } = error as Partial<RecordError>;
    if (error instanceof RecordError && (reason === "exists" || reason === "conflict" || reason === "absent"))
      return false;
    throw error;
  }
}
