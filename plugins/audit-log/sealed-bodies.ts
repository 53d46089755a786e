import { type AuditResource, type Logger, RecordError, type SealingService } from "../../core/index.ts";
import type { AuditEntry } from "./entry.ts";

/** Records that are kept encrypted (operations.md section 11): what was sent for them is no more readable in the trail. */
const sealedKinds: ReadonlySet<string> = new Set<AuditResource>([
  ...(["configs", "guardrails", "prompts", "partials"] as const),
  ...(["integrations", "providers", "virtual_keys", "plugins", "secret_references"] as const),
]);

/** Stands for a body that was not kept, or cannot be read. JSON, as bodies are. */
const untold = JSON.stringify("…");

/** Encrypts what was sent for records that are encrypted themselves, and reads it again. */
export class SealedBodies {
  readonly #sealing: SealingService | undefined;
  readonly #log: Logger;

  constructor(sealing: SealingService | undefined, log: Logger) {
    this.#sealing = sealing;
    this.#log = log;
  }

  /**
   * The entry as it is kept. Where nothing can be encrypted for want of a key it goes without its body: that somebody did
   * something is worth more than what they sent. Rejects with a `RecordError` while the store does not answer.
   */
  async sealed(organisation: string, entry: AuditEntry): Promise<AuditEntry> {
    const { id, request_body, resource_type } = entry;
    if (!this.#sealing || request_body === "{}" || !sealedKinds.has(resource_type)) return entry;
    try {
      const sealed_body = await this.#sealing.seal(organisation, placeOf(id), request_body);
      return { ...entry, request_body: "", sealed_body };
    } catch (error) {
      if (error instanceof RecordError && error.reason === "down") throw error;
      this.#log.warn("what a call sent is not in its audit entry: it cannot be encrypted", { organisation, error });
      return { ...entry, request_body: untold };
    }
  }

  /** The entry as it is shown. A body whose key is not to be had hides none of the rest. */
  async opened<Entry extends AuditEntry>(organisation: string, entry: Entry): Promise<Omit<Entry, "sealed_body">> {
    const { sealed_body, ...rest } = entry;
    if (sealed_body === undefined) return rest;
    const request_body = await this.#bodyOf(organisation, entry.id, sealed_body);
    return { ...rest, request_body };
  }

  async #bodyOf(organisation: string, id: string, sealed: string): Promise<string> {
    try {
      if (this.#sealing) return await this.#sealing.open(organisation, placeOf(id), sealed);
      this.#log.warn("what a call sent is encrypted, and no plugin can decrypt it", { organisation, entry: id });
    } catch (error) {
      if (error instanceof RecordError && error.reason === "down") throw error;
      this.#log.warn("what a call sent cannot be decrypted", { organisation, entry: id, error });
    }
    return untold;
  }
}

/** Sealed texts are good in one place only. */
const placeOf = (id: string): string => `${id}.request_body`;
