import { type Answer, type Exchange, requestOf, saysTrue, totalCost } from "../../../core/index.ts";
import { costOf, denied } from "./bill.ts";
import type { Pricer } from "./pricer.ts";

/** Whether an answer is to say what it cost: whole ones can, when asked with `x-gateway-debug: true`. */
export const isAskedFor = (exchange: Exchange): boolean =>
  saysTrue(exchange, "debug") && requestOf(exchange)?.stream !== true;

/**
 * Tells in the response headers of an answer what the request has cost up to here, in dollars, with all attempts before:
 * `x-gateway-cost`, `unknown` where it is, and where its usage is from in `x-gateway-usage-source`.
 */
export function tellCost(answer: Answer, exchange: Exchange, pricer: Pricer): void {
  const { attempts, attempt: answering } = exchange;
  if (!answering) return;
  for (const attempt of attempts) if (!attempt.usage) readUsage(attempt);
  // The one that answers has answered, though nobody has said so yet; what it refuses it was not at work for.
  const isWork = answer.status < 400 || answer.status === denied;
  const received = answering.received ?? answer.wire?.bytes;
  const answered = { ...answering, ...(received && { received }), answer };
  const costs = attempts.map((attempt) => ({
    cost: attempt === answering ? costOf(exchange, answered, pricer, isWork) : costOf(exchange, attempt, pricer),
  }));
  const { amount } = totalCost(costs);
  answering.told ??= {};
  answering.told.cost = amount ?? "unknown";
  answering.told["usage-source"] = answering.usage ? "provider" : "none";
}

function readUsage(attempt: Exchange["attempts"][number]): void {
  try {
    const usage = attempt.readUsage?.();
    if (usage) attempt.usage = usage;
  } catch {
    // What is not readable is not known.
  }
}
