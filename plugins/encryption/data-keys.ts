import { createSecretKey, type KeyObject } from "node:crypto";
import {
  errorMessage,
  GatewayError,
  type RecordCollection,
  RecordError,
  type RecordsService,
  type Rotation,
  type StoredRecord,
} from "../../core/index.ts";
import type { MasterKeys } from "./master-keys.ts";

/** A data key, as it is kept; its tenant is the organisation, its id the number. */
interface DataKeyDocument {
  /** The id of the master key it is encrypted under. */
  readonly master: string;
  readonly wrapped: string;
}

export interface DataKey {
  readonly number: string;
  readonly key: KeyObject;
}

/** Milliseconds a data key stays in memory in the clear. */
export const keptFor = 5 * 60_000;

interface Held {
  readonly reading: Promise<DataKey>;
  readonly until: number;
}

/** The data keys of organisations: made when the first secret is sealed, and in the clear in memory only. */
export class DataKeys {
  readonly #collection: RecordCollection<DataKeyDocument>;
  readonly #masters: MasterKeys;
  readonly #now: () => number;
  /** By organisation and number; under the organisation alone the one that seals. */
  readonly #held = new Map<string, Held>();

  constructor(records: RecordsService, masters: MasterKeys, now: () => number) {
    this.#collection = records.collection<DataKeyDocument>({ name: "data_keys", schemaVersion: 1 });
    this.#masters = masters;
    this.#now = now;
  }

  /** The one that seals. */
  current(organisation: string): Promise<DataKey> {
    return this.#hold(organisation, async () => {
      const newest = await this.#newest(organisation);
      return newest ? this.#opened(newest) : this.#make(organisation, 1);
    });
  }

  /** The one that something was sealed with. */
  numbered(organisation: string, number: string): Promise<DataKey> {
    return this.#hold(`${organisation}\n${number}`, async () => {
      const record = await this.#collection.get({ tenant: organisation, id: number });
      if (record) return this.#opened(record);
      throw new GatewayError(
        "secret_unavailable",
        `The data key ${number} of the organisation ${organisation} is not in the store: restore the collection data_keys.`,
      );
    });
  }

  /** Lets go of keys whose time is over. */
  sweep(): void {
    for (const [name, { until }] of this.#held) if (until <= this.#now()) this.#held.delete(name);
  }

  async rotate(renew: boolean): Promise<Rotation> {
    const all: StoredRecord<DataKeyDocument>[] = [];
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const page = await this.#collection.find({ limit: 1000, ...(after !== undefined && { after }) });
      all.push(...page.records);
      after = page.next;
    }
    const failures: string[] = [];
    const counts = { rewrapped: 0, unchanged: 0, renewed: 0 };
    for (const record of all) {
      try {
        counts[(await this.#rewrap(record)) ? "rewrapped" : "unchanged"]++;
      } catch (error) {
        if (error instanceof RecordError && error.reason === "down") throw error;
        failures.push(errorMessage(error));
      }
    }
    if (renew)
      for (const organisation of new Set(all.map(({ tenant }) => tenant))) {
        await this.#make(organisation, numberOf(await this.#newest(organisation)) + 1);
        counts.renewed++;
      }
    this.#held.clear();
    return { ...counts, failures };
  }

  /** Whether it had to be; one that somebody else has encrypted anew meanwhile is fine as it is. */
  async #rewrap(record: StoredRecord<DataKeyDocument>): Promise<boolean> {
    const { tenant, id, version, document } = record;
    const writer = await this.#masters.writer(tenant, async () => false);
    if (document.master === writer.id) return false;
    const plain = await this.#unwrapped(record);
    const wrapped = await writer.wrap(plain, { organisation: tenant, number: id });
    plain.fill(0);
    try {
      await this.#collection.update({ tenant, id, version }, { document: { master: writer.id, wrapped } });
      return true;
    } catch (error) {
      if (error instanceof RecordError && error.reason === "conflict") return false;
      throw error;
    }
  }

  #hold(name: string, read: () => Promise<DataKey>): Promise<DataKey> {
    const held = this.#held.get(name);
    if (held && held.until > this.#now()) return held.reading;
    const fresh = { reading: read(), until: this.#now() + keptFor };
    this.#held.set(name, fresh);
    fresh.reading.catch(() => this.#held.get(name) === fresh && this.#held.delete(name));
    return fresh.reading;
  }

  async #newest(organisation: string): Promise<StoredRecord<DataKeyDocument> | undefined> {
    const { records } = await this.#collection.find({ tenant: organisation, order: "newest", limit: 1 });
    return records[0];
  }

  async #make(organisation: string, number: number): Promise<DataKey> {
    const name = { organisation, number: String(number) };
    const key = { tenant: organisation, id: name.number };
    const writer = await this.#masters.writer(organisation, async () => {
      const { records } = await this.#collection.find({ limit: 1 });
      return records.length === 0;
    });
    const { plain, wrapped } = await writer.generate(name);
    try {
      await this.#collection.insert({ ...key, document: { master: writer.id, wrapped } });
      return { number: name.number, key: keyOf(plain) };
    } catch (error) {
      if (!(error instanceof RecordError) || error.reason !== "exists") throw error;
    }
    // Another process was quicker: its key is the one.
    const record = await this.#collection.get(key);
    if (record) return this.#opened(record);
    throw new GatewayError("internal", `The data key ${name.number} of ${organisation} came and went.`);
  }

  async #opened(record: StoredRecord<DataKeyDocument>): Promise<DataKey> {
    return { number: record.id, key: keyOf(await this.#unwrapped(record)) };
  }

  async #unwrapped({ tenant, id, document }: StoredRecord<DataKeyDocument>): Promise<Buffer> {
    const what = `The data key ${id} of the organisation ${tenant}`;
    const master = this.#masters.reader(document.master, what);
    const plain = await master.unwrap(document.wrapped, { organisation: tenant, number: id });
    if (plain) return plain;
    throw new GatewayError(
      "secret_unavailable",
      `${what} cannot be decrypted with its master key ${master.id}: its record is damaged; restore the collection data_keys.`,
    );
  }
}

const numberOf = (record: StoredRecord<DataKeyDocument> | undefined): number => Number(record?.id ?? 0);

/** A key that no dump of variables shows; the bytes it was made of are gone. */
function keyOf(plain: Buffer): KeyObject {
  const key = createSecretKey(plain);
  plain.fill(0);
  return key;
}
