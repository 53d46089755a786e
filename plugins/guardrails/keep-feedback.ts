import { randomUUID } from "node:crypto";
import type { Exchange, Feedback, Logger, LogsService } from "../../core/index.ts";
import { resultsIn } from "./lingering.ts";
import type { HookEntry } from "./run/results.ts";

/** Keeps what guardrails say at every target of a request as feedback on its trace (guardrails.md section 3.5). Nobody waits for it. */
export function keepFeedback(logs: LogsService, exchange: Exchange, log: Logger): void {
  const { organisation, workspace } = exchange.principal ?? {};
  if (organisation === undefined) return;
  const at = Date.now();
  const kept = [...saidIn(exchange)].flatMap(({ feedback }): Feedback[] =>
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

/** Retries of a target have what was said of its input in common: that was said once. */
function saidIn(exchange: Exchange): ReadonlySet<HookEntry> {
  const said = new Set<HookEntry>();
  for (const { before_request_hooks, after_request_hooks } of resultsIn(exchange))
    for (const entry of [...before_request_hooks, ...after_request_hooks]) said.add(entry as unknown as HookEntry);
  return said;
}

const textsOf = (metadata: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
