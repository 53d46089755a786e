import type { StoredRecord } from "../services/records.ts";

/** What every management record has. */
export interface ManagedDocument {
  readonly slug?: string;
  /** The id of the workspace it belongs to; null for what the whole organisation owns. */
  readonly workspace_id: string | null;
  /** Deleted records keep their id and slug, and are seen by nobody. */
  readonly deleted: boolean;
}

/** A management record, with its organisation as the tenant. */
export interface Managed<Document extends ManagedDocument> extends StoredRecord<Document> {
  /** Records of the config file, and those that come with the product, are read only. */
  readonly origin: "file" | "store" | "built-in";
}

/** The times of a record as the API shows them: ISO 8601 with milliseconds. */
export const timesOf = ({ createdAt, updatedAt }: Pick<Managed<ManagedDocument>, "createdAt" | "updatedAt">) => ({
  created_at: new Date(createdAt).toISOString(),
  last_updated_at: new Date(updatedAt).toISOString(),
});

/** The fields of a body that were sent: what a change keeps is absent from it. */
export const sentOf = <Given extends object>(
  given: Given,
): { [Field in keyof Given]?: Exclude<Given[Field], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
