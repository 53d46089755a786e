import { type Kept, type Managed, type ManagedDocument, type ResourceStore, storeDown } from "../../../core/index.ts";

/** A record, as far as the data path reads it. */
export type Readable<Document extends ManagedDocument> = Pick<Managed<Document>, "id" | "document" | "origin">;

/** References that can be an id or a slug; any other names nothing, and the store need not be asked. */
const possible = /^[\w-]{1,255}$/;

/** Records that need no store, and those of the store: read when they are first asked for, dropped when they change. */
export class Lookup<Document extends ManagedDocument, Value> {
  readonly #kept: Kept<Value>;
  /** By id and by slug. */
  readonly #declared = new Map<string, Value>();

  constructor(
    store: ResourceStore<Document>,
    declared: readonly Readable<Document>[],
    read: (record: Readable<Document>) => Value,
    most?: number,
  ) {
    // What is known goes on being used while the store cannot say what has become of it.
    this.#kept = store.kept(read, { staleAfterChange: true, ...(most !== undefined && { most }) });
    for (const one of declared) {
      const value = read(one);
      this.#declared.set(one.id, value);
      if (one.document.slug !== undefined) this.#declared.set(one.document.slug, value);
    }
  }

  /** By id or slug. Rejects with `store_unavailable` where the store has to be asked and does not answer. */
  async find(organisation: string | undefined, ref: string): Promise<Value | undefined> {
    const declared = this.#declared.get(ref);
    if (declared !== undefined || organisation === undefined || !possible.test(ref)) return declared;
    try {
      return await this.#kept.find(organisation, ref);
    } catch (error) {
      return storeDown(error);
    }
  }

  close(): void {
    this.#kept.close();
  }
}
