import { z } from "zod";
import { type Attempt, definePlugin, type Exchange, requestOf, Stage, saysTrue } from "../../core/index.ts";

export default definePlugin({
  name: "access-log",
  summary: "Writes a line to the process log for every request.",
  options: z.strictObject({
    trace: z
      .boolean()
      .default(false)
      .describe("List every attempt and every routing decision, as for requests with `x-gateway-debug: true`."),
  }),
  setup({ hooks, log }, { trace }) {
    hooks.cost.tap({ name: "access-log", stage: Stage.record }, (exchange) => {
      const line = lineOf(exchange);
      log.info("request", trace || wantsTrace(exchange) ? { ...line, ...traceOf(exchange) } : line);
    });
  },
});

const wantsTrace = (exchange: Exchange): boolean => saysTrue(exchange, "debug");

/** What a line says: no bodies, no headers, no query, so no secrets. */
function lineOf(exchange: Exchange): Record<string, unknown> {
  const answering = exchange.attempt ?? exchange.attempts.at(-1);
  const request = requestOf(exchange);
  return {
    request: exchange.id,
    ...(exchange.role && { role: exchange.role, trace: exchange.traceId }),
    ...(exchange.event !== undefined && { event: exchange.event }),
    who: exchange.principal?.name ?? exchange.principal?.id,
    method: exchange.method,
    path: exchange.url.split("?")[0],
    ending: exchange.ending,
    status: exchange.status,
    ...(exchange.config && { config: exchange.config }),
    provider: answering?.target.provider.slug,
    model: answering?.target.model ?? request?.model ?? answering?.model,
    stream: request?.stream,
    attempts: exchange.attempts.length,
    milliseconds: Math.round(exchange.endedAt ?? 0),
    ...(answering?.firstTokenAt !== undefined && { firstToken: Math.round(answering.firstTokenAt) }),
    ...(exchange.cacheStatus !== undefined && { cache: exchange.cacheStatus }),
    ...(exchange.usage && { usage: exchange.usage }),
    ...(exchange.malformedFrames > 0 && { malformedFrames: exchange.malformedFrames }),
    ...(exchange.droppedParams.size > 0 && { dropped: [...exchange.droppedParams] }),
  };
}

const traceOf = ({ attempts, routeNotes = [] }: Exchange): Record<string, unknown> => ({
  calls: attempts.map(callOf),
  decisions: routeNotes.map(({ path, message }) => `${path} ${message}`),
});

/** One attempt: where it went, its clocks in milliseconds since the request arrived, and how it ended. */
function callOf({ target, outcome, lane, ...clocks }: Attempt): Record<string, unknown> {
  const { startedAt, connectedAt, headersAt, firstTokenAt, endedAt } = clocks;
  return {
    path: target.path,
    provider: target.provider.slug,
    ...(target.model !== undefined && { model: target.model }),
    ...(target.retry && { retry: true, waited: target.delayMs ?? 0 }),
    ...(lane && { lane }),
    ...rounded({ startedAt, connectedAt, headersAt, firstTokenAt, endedAt }),
    ...(outcome ? { status: outcome.status } : { status: "given up" }),
    ...(outcome?.code && { code: outcome.code }),
    ...(outcome?.reason && { reason: outcome.reason }),
    ...(outcome?.given && { given: true }),
  };
}

const rounded = (clocks: Readonly<Record<string, number | undefined>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(clocks).flatMap(([name, at]) => (at === undefined ? [] : [[name, Math.round(at * 10) / 10]])),
  );
