import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { type Kept, keptRecords, type RecordCollection, RecordError, type RecordsService } from "../../core/index.ts";

/** The tenant of what belongs to no organisation. */
export const installation = "installation";

interface Fact {
  readonly value: string;
}

type FactName = "digest-key" | "first-key" | "last-sweep";

/** What the processes of an installation have to agree on. Methods reject with a `RecordError`. */
export class Installation {
  readonly #facts: RecordCollection<Fact>;
  readonly #digestKey: Kept<KeyObject>;

  constructor(records: RecordsService) {
    this.#facts = records.collection<Fact>({ name: "api_key_facts", schemaVersion: 1 });
    this.#digestKey = keptRecords({
      collection: this.#facts,
      staleAfterChange: true,
      read: ({ document }) => createSecretKey(Buffer.from(document.value, "base64url")),
    });
  }

  /** What secrets are digested under; undefined while no key was ever made. A promise only where the store is asked. */
  digestKey(): KeyObject | undefined | Promise<KeyObject | undefined> {
    return this.#digestKey.find(installation, "digest-key");
  }

  /** The same, made where it is missing. Of several who make one at once, the first one has its way. */
  async madeDigestKey(): Promise<KeyObject> {
    const found = await this.digestKey();
    if (found) return found;
    const value = await this.#fact("digest-key", () => randomBytes(32).toString("base64url"));
    return createSecretKey(Buffer.from(value, "base64url"));
  }

  async knows(fact: FactName): Promise<boolean> {
    return (await this.#facts.get({ tenant: installation, id: fact })) !== undefined;
  }

  /** Notes something that is so from now on. */
  async note(fact: FactName, value: string): Promise<void> {
    await this.#fact(fact, () => value);
  }

  /**
   * Whether it is this process' turn at something that is done once in an interval of milliseconds: the first one who asks
   * in each has it.
   */
  async turn(fact: FactName, now: number, interval: number): Promise<boolean> {
    const key = { tenant: installation, id: fact };
    const document = { value: new Date(now).toISOString() };
    try {
      const last = await this.#facts.get(key);
      if (!last) await this.#facts.insert({ ...key, document });
      else if (now - Date.parse(last.document.value) < interval) return false;
      else await this.#facts.update({ ...key, version: last.version }, { document });
      return true;
    } catch (error) {
      if (error instanceof RecordError && (error.reason === "exists" || error.reason === "conflict")) return false;
      throw error;
    }
  }

  close(): void {
    this.#digestKey.close();
  }

  async #fact(id: FactName, make: () => string): Promise<string> {
    const key = { tenant: installation, id };
    try {
      return (await this.#facts.insert({ ...key, document: { value: make() } })).document.value;
    } catch (error) {
      if (!(error instanceof RecordError) || error.reason !== "exists") throw error;
      const found = await this.#facts.get(key);
      if (found) return found.document.value;
      throw error;
    }
  }
}
