import { GatewayError } from "../errors/gateway-error.ts";
import type { StoredRecord } from "../services/records.ts";
import type { SealingService } from "../services/sealing.ts";
import type { ResourceDefinition } from "./definition.ts";
import type { Managed, ManagedDocument } from "./document.ts";

/** Encrypts the fields of a document that its kind keeps encrypted, and reads them again. */
export class SealedFields<Document extends ManagedDocument> {
  readonly #kind: Pick<ResourceDefinition<Document>, "what" | "sealed">;
  readonly #sealing: SealingService | undefined;

  constructor(kind: Pick<ResourceDefinition<Document>, "what" | "sealed">, sealing: SealingService | undefined) {
    this.#kind = kind;
    this.#sealing = sealing;
  }

  /** The document as it is kept: with a list of the fields that are encrypted in it. */
  async seal(organisation: string, id: string, document: Document): Promise<Document> {
    const { sealed: fields = [] } = this.#kind;
    if (!this.#sealing || fields.length === 0) return document;
    const values: Record<string, unknown> = {};
    for (const field of fields)
      if (document[field] !== undefined && document[field] !== null)
        values[field] = await this.#sealing.seal(organisation, `${id}.${field}`, JSON.stringify(document[field]));
    return { ...document, ...values, sealed: Object.keys(values) };
  }

  /** A record as it is used. Throws `internal` where something in it is encrypted and nothing here can decrypt it. */
  async open(record: StoredRecord<Document>): Promise<Managed<Document>> {
    const { sealed: fields, ...rest } = record.document as Document & { readonly sealed?: readonly string[] };
    const document = rest as unknown as Document;
    if (!fields?.length) return { ...record, document, origin: "store" };
    if (!this.#sealing)
      throw new GatewayError(
        "internal",
        `The ${this.#kind.what} "${record.id}" is encrypted, and no plugin can decrypt it.`,
      );
    const values: Record<string, unknown> = {};
    for (const field of fields) {
      const value = document[field as keyof Document];
      values[field] = JSON.parse(await this.#sealing.open(record.tenant, `${record.id}.${field}`, String(value)));
    }
    return { ...record, document: { ...document, ...values }, origin: "store" };
  }
}
