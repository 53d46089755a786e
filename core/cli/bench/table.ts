export interface BenchRow {
  readonly scenario: string;
  readonly subject: string;
  /** CPU of the measured process per request. */
  readonly cpuMicroseconds: number;
  /** The same, over that of the bare relay in the same run. */
  readonly ratio: number;
  readonly cpuPerChunk?: number;
  /** Milliseconds more than the relay, at the median and at the 99th percentile. */
  readonly addedP50: number;
  readonly addedP99: number;
  readonly rssBefore: number;
  readonly rssAfter: number;
}

export interface BenchReport {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string; readonly pinned: boolean };
  readonly rows: readonly BenchRow[];
}

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);

/** The report as a markdown table. */
export function table({ machine, rows }: BenchReport): string {
  const head =
    "| scenario | subject | CPU/request | × relay | CPU/chunk | p50 added | p99 added | RSS before → after |";
  const lines = rows.map((row) =>
    [
      "",
      row.scenario,
      row.subject,
      `${row.cpuMicroseconds.toFixed(0)} µs`,
      row.ratio.toFixed(2),
      row.cpuPerChunk === undefined ? "" : `${row.cpuPerChunk.toFixed(1)} µs`,
      `${row.addedP50.toFixed(2)} ms`,
      `${row.addedP99.toFixed(2)} ms`,
      `${megabytes(row.rssBefore)} → ${megabytes(row.rssAfter)} MB`,
      "",
    ]
      .join(" | ")
      .trim(),
  );
  const where = `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.pinned ? "pinned to cores" : "not pinned"}`;
  return `${head}\n|${"---|".repeat(8)}\n${lines.join("\n")}\n\n${where}\n`;
}
