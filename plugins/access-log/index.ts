import { z } from "zod";
import { definePlugin, type Exchange, Stage } from "../../core/index.ts";

export default definePlugin({
  name: "access-log",
  summary: "Writes a line to the process log for every request.",
  options: z.strictObject({}),
  setup({ hooks, log }) {
    hooks.cost.tap({ name: "access-log", stage: Stage.record }, (exchange) => log.info("request", lineOf(exchange)));
  },
});

/** What a line says: no bodies, no headers, no query, so no secrets. */
function lineOf(exchange: Exchange): Record<string, unknown> {
  const last = exchange.attempts.at(-1);
  return {
    request: exchange.id,
    who: exchange.principal?.name ?? exchange.principal?.id,
    method: exchange.method,
    path: exchange.url.split("?")[0],
    ending: exchange.ending,
    status: exchange.status,
    provider: last?.target.provider.slug,
    model: last?.target.model ?? exchange.request?.model,
    stream: exchange.request?.stream,
    attempts: exchange.attempts.length,
    milliseconds: Math.round(exchange.endedAt ?? 0),
    ...(last?.firstTokenAt !== undefined && { firstToken: Math.round(last.firstTokenAt) }),
    ...(exchange.usage && { usage: exchange.usage }),
    ...(exchange.malformedFrames > 0 && { malformedFrames: exchange.malformedFrames }),
    ...(exchange.droppedParams.size > 0 && { dropped: [...exchange.droppedParams] }),
  };
}
