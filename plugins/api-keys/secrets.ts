import type { KeyObject } from "node:crypto";
import {
  isToken,
  type Kept,
  keptRecords,
  maskedSecret,
  type RecordCollection,
  RecordError,
  type RecordsService,
} from "../../core/index.ts";
import type { SecretRef } from "./document.ts";
import { type Installation, installation } from "./installation.ts";
import { digestOf, isMarked, newValue } from "./secret-values.ts";

/** Whose secret a digest is of. It says where to look; whether the key still has it, the key says. */
export interface SecretOwner {
  readonly organisation: string;
  readonly key: string;
}

export interface SecretsParts {
  readonly records: RecordsService;
  readonly installation: Installation;
  /** What made values begin with. */
  readonly prefix: string;
  /** Called before the store is asked about a value that was not made here; throws to refuse. */
  readonly admitUnknown: () => void;
  readonly now: () => number;
}

/** How long a value nobody has is remembered, in milliseconds. */
const unknownFor = 30_000;

/** The values that let in, by their digests: a record for each, whose id is the digest. */
export class Secrets {
  readonly #collection: RecordCollection<SecretOwner>;
  readonly #kept: Kept<SecretOwner>;
  readonly #parts: SecretsParts;

  constructor(parts: SecretsParts) {
    this.#parts = parts;
    this.#collection = parts.records.collection<SecretOwner>({ name: "api_key_secrets", schemaVersion: 1 });
    this.#kept = keptRecords({
      collection: this.#collection,
      absentFor: unknownFor,
      most: 100_000,
      staleAfterChange: true,
      now: parts.now,
      read: ({ document }) => document,
    });
  }

  /** Whose value it is; a promise only where the store has to be asked. */
  owner(
    digestKey: KeyObject,
    value: string,
    digest: string,
  ): SecretOwner | undefined | Promise<SecretOwner | undefined> {
    if (!this.#kept.knows(installation, digest) && !isMarked(digestKey, value)) {
      if (isToken(value)) return undefined;
      this.#parts.admitUnknown();
    }
    return this.#kept.find(installation, digest);
  }

  /** Makes a value for a key, or takes the given one; it resolves from now on. */
  async issue(owner: SecretOwner, given?: string): Promise<{ readonly value: string; readonly ref: SecretRef }> {
    const digestKey = await this.#parts.installation.madeDigestKey();
    const value = given ?? newValue(digestKey, this.#parts.prefix);
    const digest = digestOf(digestKey, value).toString("base64url");
    await this.#collection.insert({ tenant: installation, id: digest, document: owner }).catch(alreadyThere);
    return { value, ref: { digest, masked: maskedSecret(value) } };
  }

  /** Whether a value belongs to a key, asked of the store. */
  async isIssued(value: string): Promise<boolean> {
    const digest = digestOf(await this.#parts.installation.madeDigestKey(), value).toString("base64url");
    return (await this.#collection.get({ tenant: installation, id: digest })) !== undefined;
  }

  async forget(refs: readonly (SecretRef | null)[]): Promise<void> {
    for (const ref of refs) if (ref) await this.#collection.remove({ tenant: installation, id: ref.digest });
  }

  close(): void {
    this.#kept.close();
  }
}

/** A given value may be tried more than once; the first one to take it has it. */
function alreadyThere(error: unknown): void {
  if (!(error instanceof RecordError) || error.reason !== "exists") throw error;
}
