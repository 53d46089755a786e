import type { Counter, MetricsService } from "../../core/index.ts";
import type { BatchDocument } from "./document.ts";

const names = {
  batch_count: "Batches that are over.",
  batch_cost: "What batches cost, in dollars, where that is known.",
  batch_input_tokens: "Tokens that went into batches.",
  batch_total_tokens: "All tokens of batches.",
  batch_process_time: "Milliseconds that were spent on batches.",
  batch_success_row_count: "Rows that were answered.",
  batch_failure_row_count: "Rows that failed, or were kept back.",
  batch_row_count: "Rows of batches that are over.",
} as const;

type Name = keyof typeof names;

/** Counts the work on batches (observability.md section 16.6). */
export class BatchMetrics {
  readonly #counters: Readonly<Record<Name, Counter>>;

  constructor(metrics: MetricsService) {
    const counter = (name: Name) => metrics.counter({ name, help: names[name], labels: ["provider", "type"] });
    const made = (Object.keys(names) as Name[]).map((name) => [name, counter(name)]);
    this.#counters = Object.fromEntries(made) as Record<Name, Counter>;
  }

  /** Told whenever this process stops working on a batch, after so many milliseconds. */
  worked({ active, asked, used, counts, job }: BatchDocument, milliseconds: number): void {
    const isOwn = asked.completionWindow === "immediate";
    const labels = [used.provider ?? job.provider ?? "gateway", isOwn ? "custom" : "provider"];
    const add = (name: Name, amount: number) => this.#counters[name].add(amount, ...labels);
    add("batch_process_time", Math.max(0, milliseconds));
    if (active) return;
    add("batch_count", 1);
    add("batch_cost", Number(used.cost ?? 0));
    add("batch_input_tokens", used.inputTokens);
    add("batch_total_tokens", used.totalTokens);
    add("batch_success_row_count", counts.completed);
    add("batch_failure_row_count", counts.failed);
    add("batch_row_count", counts.total);
  }
}
