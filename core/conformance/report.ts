/** What a provider is held to, in the order of the table. */
export const columns = ["whole", "streamed", "tools", "images", "errors", "abort", "usage"] as const;
export type Column = (typeof columns)[number];

/** `none`: the operation, a format of the row or the vendor has no such thing. A reason is one line. */
export type Cell = { readonly result: "ok" | "none" } | { readonly result: "failed"; readonly reason: string };

/** One way to ask: an operation in the format the provider speaks, by a client that speaks the same or another one. */
export interface ConformanceRow {
  readonly operation: string;
  /** The format the vendor is asked in. */
  readonly format: string;
  /** The format of the client. */
  readonly client: string;
  readonly cells: Readonly<Record<Column, Cell>>;
}

/** How the replay of one recorded exchange went. */
export interface FixtureRow {
  /** The name of its folder. */
  readonly name: string;
  readonly cell: Cell;
}

/** What `checkProvider` found out. */
export interface ConformanceReport {
  /** The public name of the provider. */
  readonly provider: string;
  readonly rows: readonly ConformanceRow[];
  readonly fixtures: readonly FixtureRow[];
  /** What else there is to know: parts that could not be looked at, and why. */
  readonly notes: readonly string[];
  /** Every failure in one line: `chat (format): streamed: …`. Empty means the provider conforms. */
  readonly failures: readonly string[];
}

export const ok: Cell = { result: "ok" };
export const none: Cell = { result: "none" };
/** A cell for what went wrong; `ok` where nothing did. Of several reasons the first one is told. */
export const cellOf = ([reason]: readonly string[]): Cell =>
  reason === undefined ? ok : { result: "failed", reason: reason.replaceAll(/\s*\n\s*/g, " ") };

/** What the table shows in the place of a row: `chat (format)`, with the client's where it is another one. */
export const rowName = ({ operation, format, client }: Pick<ConformanceRow, "operation" | "format" | "client">) =>
  `${operation} (${client === format ? format : `${format} from ${client}`})`;

/** The failures of all rows; columns that fail for the same reason are told together. */
export function failuresOf(rows: readonly ConformanceRow[], fixtures: readonly FixtureRow[]): string[] {
  const ofRows = rows.flatMap((row) => {
    const byReason = new Map<string, Column[]>();
    for (const column of columns) {
      const cell = row.cells[column];
      if (cell.result === "failed") byReason.set(cell.reason, [...(byReason.get(cell.reason) ?? []), column]);
    }
    return [...byReason].map(([reason, names]) => `${rowName(row)}: ${names.join(", ")}: ${reason}`);
  });
  const ofFixtures = fixtures.flatMap(({ name, cell }) =>
    cell.result === "failed" ? [`fixture ${name}: ${cell.reason}`] : [],
  );
  return [...ofRows, ...ofFixtures];
}
