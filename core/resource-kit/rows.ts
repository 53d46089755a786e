import type { Managed, ManagedDocument } from "./document.ts";

/** A record as the management API shows it. */
export type Shown = Readonly<Record<string, unknown>>;
/** What one record shows. */
export type Row<Document extends ManagedDocument> = (record: Managed<Document>) => Shown | Promise<Shown>;

/** What each of several records shows, in their order. */
export type Rows<Document extends ManagedDocument> = (
  records: readonly Managed<Document>[],
) => Promise<readonly Shown[]>;

/** Every record says where it comes from: the config file or the store. */
export const withOrigin =
  <Document extends ManagedDocument>(row: Row<Document>) =>
  async (record: Managed<Document>): Promise<Shown> => ({ ...(await row(record)), origin: record.origin });

/** What records show, in their order. */
export async function rowsOf<Document extends ManagedDocument>(
  records: readonly Managed<Document>[],
  row: Row<Document> | { readonly ofAll: Rows<Document> },
): Promise<Shown[]> {
  if (typeof row === "function") return Promise.all(records.map(withOrigin(row)));
  const rows = await row.ofAll(records);
  return rows.map((one, at) => ({ ...one, origin: records[at]?.origin }));
}

/** One record in the way that several are shown. */
export const rowOfOne =
  <Document extends ManagedDocument>(ofAll: Rows<Document>) =>
  async (record: Managed<Document>): Promise<Shown> =>
    (await ofAll([record]))[0] as Shown;
