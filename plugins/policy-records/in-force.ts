import {
  type Kept,
  type Managed,
  type RatePolicy,
  type ResourceStore,
  storeDown,
  type UsagePolicy,
} from "../../core/index.ts";
import { conditionsOf } from "./conditions.ts";
import type { PolicyDocument, RateDocument, UsageDocument } from "./policy-store.ts";

type Declared<Document> = readonly { readonly id: string; readonly document: Document }[];
type Found<Policy> = readonly Policy[] | Promise<readonly Policy[]>;

/**
 * The active policies of each workspace, at hand until one of them changes. Those of the file have for a version since when it
 * is as it is, Unix milliseconds: a process, or a generation, that has not read what it says now judges by it all the same; and
 * one that begins again with an older file changes nothing. Files of one content may have any dates: whichever holds says the
 * same. A newer file that nobody who counts goes by for a day gives way to the older ones there are.
 */
export function policiesInForce<Document extends PolicyDocument, Policy>(
  store: ResourceStore<Document>,
  declared: Declared<Document>,
  read: (record: Pick<Managed<Document>, "id" | "document"> & { readonly version?: number }) => Policy,
  changedAt: number,
): { find(organisation: string | undefined, workspace: string | undefined): Found<Policy>; close(): void } {
  const versioned = (record: Managed<Document>) =>
    read(record.origin === "file" ? { ...record, version: changedAt } : record);
  const kept: Kept<readonly Policy[]> = store.keptLists((records) => inOrder(records).map(versioned), {
    where: { status: "active" } as never,
  });
  const everybodys = declared
    .filter(({ document }) => document.workspace_id === null)
    .map((one) => read({ ...one, version: changedAt }));
  return {
    find(organisation, workspace) {
      if (organisation === undefined || workspace === undefined) return everybodys;
      const found = kept.find(organisation, workspace);
      return found instanceof Promise ? found.then((list) => list ?? [], storeDown) : (found ?? []);
    },
    close: kept.close,
  };
}

/** The file's first, as they stand there; then as they were made. */
const inOrder = <Document extends PolicyDocument>(newestFirst: readonly Managed<Document>[]): Managed<Document>[] => [
  ...newestFirst.filter(({ origin }) => origin === "file"),
  ...newestFirst.filter(({ origin }) => origin === "store").reverse(),
];

type Read<Document> = Pick<Managed<PolicyDocument & Document>, "id"> & {
  readonly document: Document;
  readonly version?: number;
};

const common = ({ id, document }: Read<PolicyDocument>) => ({
  id,
  name: document.name,
  conditions: conditionsOf(document.conditions),
  groupBy: document.group_by.map(({ key }) => key),
  ...(document.workspace_id !== null && { workspace: document.workspace_id }),
  ...(document.on_store_error && { onStoreError: document.on_store_error }),
});

export function usagePolicy(record: Read<UsageDocument>): UsagePolicy {
  const { type, credit_limit, alert_threshold, periodic_reset, periodic_reset_days, next_usage_reset_at, enforcement } =
    record.document;
  const period = periodic_reset_days === null ? periodic_reset : { days: periodic_reset_days };
  return {
    ...common(record),
    type,
    creditLimit: credit_limit,
    alertThreshold: alert_threshold,
    enforcement: enforcement ?? "soft",
    ...(record.version !== undefined && { version: record.version }),
    ...(period !== null && { period }),
    ...(next_usage_reset_at !== null && { nextResetAt: Date.parse(next_usage_reset_at) }),
  };
}

export function ratePolicy(record: Read<RateDocument>): RatePolicy {
  const { type, unit, value, target } = record.document;
  return { ...common(record), type, unit, value, target };
}
