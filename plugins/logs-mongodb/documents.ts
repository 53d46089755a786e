import type { IndexDescription } from "mongodb";
import {
  type Feedback,
  type FoundLog,
  type KeptLog,
  type LogColumn,
  type LogKey,
  type LogPosition,
  logColumns,
} from "../../core/index.ts";

type Index = IndexDescription & { readonly name: string };

type Columns = { readonly [Column in LogColumn]: ReturnType<KeptLog["column"]> };

const columnNames = Object.keys(logColumns) as LogColumn[];

/** A row as it is in its collection. */
export interface KeptRow {
  readonly _id: string;
  readonly organisation: string;
  readonly id: string;
  readonly created: Date;
  readonly columns: Columns;
  /** A text for each pair. */
  readonly metadata: readonly string[];
  readonly row: string;
  /** When the server may delete it; null is never. */
  readonly purge: Date | null;
}

export interface KeptContent {
  readonly _id: string;
  readonly created: Date;
  readonly head: string;
  readonly bytes: Buffer;
  readonly purge: Date | null;
}

export interface KeptFeedback {
  readonly _id: string;
  readonly organisation: string;
  readonly trace: string;
  readonly created: Date;
  readonly weighted: number;
  readonly content: string;
  readonly purge: Date | null;
}

export const collections = { rows: "logs_rows", objects: "logs_objects", feedback: "logs_feedback" } as const;
export type CollectionName = keyof typeof collections;

const byAge: readonly Index[] = [
  { name: "by_age", key: { created: 1 } },
  { name: "purge", key: { purge: 1 }, expireAfterSeconds: 0 },
];

export const indexes: { readonly [Name in CollectionName]: readonly Index[] } = {
  rows: [
    { name: "of_organisation", key: { organisation: 1, created: -1, id: -1 } },
    { name: "of_workspace", key: { organisation: 1, "columns.workspace": 1, created: -1, id: -1 } },
    { name: "of_trace", key: { organisation: 1, "columns.trace_id": 1 } },
    { name: "by_metadata", key: { organisation: 1, metadata: 1 } },
    ...byAge,
  ],
  objects: byAge,
  feedback: [{ name: "of_trace", key: { organisation: 1, trace: 1 } }, ...byAge],
};

export const idOf = ({ organisation, id }: LogKey): string => `${organisation}\n${id}`;

export const pairOf = (key: string, value: string): string => JSON.stringify([key, value]);

const day = 24 * 60 * 60 * 1000;

/** When something that is kept for so many days is of no use any more. */
const purgeAfter = (created: number, days: number): Date | null => (days === 0 ? null : new Date(created + days * day));

export const rowOf = (entry: KeptLog, days: number): KeptRow => ({
  _id: idOf(entry),
  organisation: entry.organisation,
  id: entry.id,
  created: new Date(entry.created),
  columns: Object.fromEntries(columnNames.map((name) => [name, entry.column(name)])) as Columns,
  metadata: Object.entries(entry.metadata).map(([name, value]) => pairOf(name, value)),
  row: entry.row,
  purge: purgeAfter(entry.created, days),
});

export const contentOf = ({ created, object, ...key }: KeptLog, days: number): KeptContent[] =>
  object
    ? [
        {
          _id: idOf(key),
          created: new Date(created),
          head: object.head,
          bytes: Buffer.concat(object.pieces),
          purge: purgeAfter(created, days),
        },
      ]
    : [];

export const feedbackOf = (feedback: Feedback, days: number): KeptFeedback => ({
  _id: idOf(feedback),
  organisation: feedback.organisation,
  trace: feedback.traceId,
  created: new Date(feedback.createdAt),
  weighted: feedback.value * feedback.weight,
  content: JSON.stringify(feedback),
  purge: purgeAfter(feedback.createdAt, days),
});

export const foundLog = ({ columns, row }: KeptRow, content: KeptContent | null): FoundLog => ({
  workspace: typeof columns.workspace === "string" ? columns.workspace : null,
  row,
  ...(content && { object: { head: content.head, bytes: content.bytes } }),
});

export const foundRow = ({ created, id, row }: KeptRow): LogPosition & { readonly row: string } => ({
  created: created.getTime(),
  id,
  row,
});
