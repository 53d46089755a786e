import { randomUUID } from "node:crypto";
import type { Exchange, Feedback, Logger, LogsService } from "../../core/index.ts";
import type { HookEntry } from "./run/results.ts";

/** Keeps what guardrails say of a request as feedback on its trace (guardrails.md section 3.5). Nobody waits for it. */
export function keepFeedback(logs: LogsService, exchange: Exchange, log: Logger): void {
  const { organisation, workspace } = exchange.principal ?? {};
  const { hookResults } = exchange;
  if (organisation === undefined || !hookResults) return;
  const at = Date.now();
  const entries = [...hookResults.before_request_hooks, ...hookResults.after_request_hooks] as unknown as HookEntry[];
  const kept = entries.flatMap(({ feedback }): Feedback[] =>
    feedback
      ? [
          {
            organisation,
            workspace: workspace ?? null,
            id: randomUUID(),
            traceId: exchange.traceId,
            value: feedback.value,
            weight: feedback.weight,
            metadata: textsOf(feedback.metadata),
            createdAt: at,
            updatedAt: at,
          },
        ]
      : [],
  );
  if (kept.length === 0) return;
  logs.feedback.put(kept).catch((error: unknown) => log.warn("feedback of guardrails was lost", { error }));
}

const textsOf = (metadata: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
