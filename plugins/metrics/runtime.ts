import { readdir, readFile } from "node:fs/promises";
import { constants, type EventLoopUtilization, PerformanceObserver, performance } from "node:perf_hooks";
import type { Counted, Shape } from "./registry/family.ts";

/** What is told of the process itself (observability.md section 16.5). What a system does not tell is left out. */
const metrics = {
  cpuUser: ["node_process_cpu_user_seconds_total", "counter", "CPU time of the process in its own code."],
  cpuSystem: ["node_process_cpu_system_seconds_total", "counter", "CPU time of the process in the kernel."],
  resident: ["node_process_resident_memory_bytes", "gauge", "Resident memory."],
  heap: ["node_process_heap_bytes", "gauge", "Heap of JavaScript, used and free."],
  openFiles: ["node_process_open_fds", "gauge", "Open file descriptors."],
  mostFiles: ["node_process_max_fds", "gauge", "File descriptors that may be open."],
  started: ["node_process_start_time_seconds", "gauge", "When the process began, in seconds of Unix time."],
  lag: ["node_eventloop_lag_seconds", "gauge", "How late the event loop was when this was read."],
  utilization: [
    "node_eventloop_utilization",
    "gauge",
    "Share of time the event loop was busy since this was last read.",
  ],
} as const satisfies Record<string, readonly [name: string, type: Shape["type"], help: string]>;

type RuntimeKey = keyof typeof metrics;

const gc = { name: "node_gc_duration_seconds", help: "Garbage collections, by kind.", type: "histogram" } as const;

/** For the README. */
export const runtimeMetrics = [...Object.values(metrics), [gc.name, gc.type, gc.help] as const];

const kinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};

const startedAt = performance.timeOrigin / 1000;

/** This process, as long as it runs. */
export class Runtime {
  readonly #collections = new Map<string, { sum: number; readonly counts: number[] }>();
  readonly #gcBuckets: readonly number[];
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  #mostFiles: Promise<number | undefined> | undefined;

  /** The first bounds stay: what was counted by them cannot be counted again. */
  constructor(gcBuckets: readonly number[]) {
    this.#gcBuckets = gcBuckets;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#collected(kindOf(entry), entry.duration / 1000);
    }).observe({ entryTypes: ["gc"] });
  }

  /** Under the label `worker`, where this process is one of several. */
  async read(worker: number | undefined): Promise<Counted[]> {
    const [labels, values] = worker === undefined ? [[], []] : [["worker"], [`${worker}`]];
    const numbers = await this.#numbers();
    const counted: Counted[] = [];
    for (const [key, [name, type, help]] of Object.entries(metrics)) {
      const sum = numbers[key as RuntimeKey];
      if (sum !== undefined) counted.push({ shape: { name, help, type, labels }, series: [{ values, sum }] });
    }
    const shape: Shape = { ...gc, labels: ["kind", ...labels], buckets: this.#gcBuckets };
    const series = [...this.#collections].map(([kind, { sum, counts }]) => ({
      values: [kind, ...values],
      sum,
      counts,
    }));
    return [...counted, { shape, series }];
  }

  #collected(kind: string, seconds: number): void {
    const known = this.#collections.get(kind) ?? { sum: 0, counts: Array(this.#gcBuckets.length + 1).fill(0) };
    const found = this.#gcBuckets.findIndex((bound) => seconds <= bound);
    const at = found < 0 ? this.#gcBuckets.length : found;
    known.counts[at] = (known.counts[at] ?? 0) + 1;
    known.sum += seconds;
    this.#collections.set(kind, known);
  }

  async #numbers(): Promise<Partial<Record<RuntimeKey, number>>> {
    const { user, system } = process.cpuUsage();
    const { rss, heapTotal } = process.memoryUsage();
    const utilization = performance.eventLoopUtilization();
    const busy = performance.eventLoopUtilization(utilization, this.#before).utilization;
    this.#before = utilization;
    this.#mostFiles ??= mostFiles();
    const [lag, open, most] = await Promise.all([eventLoopLag(), openFiles(), this.#mostFiles]);
    return {
      cpuUser: user / 1e6,
      cpuSystem: system / 1e6,
      resident: rss,
      heap: heapTotal,
      ...(open !== undefined && { openFiles: open }),
      ...(most !== undefined && { mostFiles: most }),
      started: startedAt,
      lag,
      utilization: busy,
    };
  }
}

function kindOf(entry: object): string {
  const detail: unknown = "detail" in entry ? entry.detail : undefined;
  const kind = typeof detail === "object" && detail !== null && "kind" in detail ? Number(detail.kind) : 0;
  return kinds[kind] ?? "other";
}

async function eventLoopLag(): Promise<number> {
  const began = performance.now();
  await new Promise(setImmediate);
  return (performance.now() - began) / 1000;
}

/** Less the one that reading them opens. */
const openFiles = (): Promise<number | undefined> =>
  readdir("/proc/self/fd").then(
    (names) => names.length - 1,
    () => undefined,
  );

const mostFiles = (): Promise<number | undefined> =>
  readFile("/proc/self/limits", "utf8").then(
    (text) => {
      const [, most] = /^Max open files\s+(\d+)/m.exec(text) ?? [];
      return most === undefined ? undefined : Number(most);
    },
    () => undefined,
  );
