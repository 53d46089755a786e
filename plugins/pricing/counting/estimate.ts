import type { Attempt, Exchange, Format, GatewayRequest, OperationName, Usage } from "../../../core/index.ts";
import { asFirst, brokeOff, isComplete, isDenied, operationOf } from "../billing/bill.ts";
import { type Counted, countedHere, hasFinished, usedSoFar } from "./so-far.ts";
import { type Texts, textsOf } from "./texts.ts";
import type { TokenCounter } from "./token-counter.ts";

type Formats = Pick<ReadonlyMap<string, Format>, "get">;

/** Longest body, in bytes, that is read again for its texts. */
const longestBody = 8 * 1024 * 1024;

/** An attempt that did not say all of what it used, with the texts to count in its place, where they are known. */
interface Uncounted {
  readonly attempt: Attempt;
  readonly texts: Texts | undefined;
}

/**
 * Answers that said nothing of what they used, as far as their texts are known (policies.md section 5.4), and those that broke off
 * before they had said all of it.
 */
export function uncountedIn(exchange: Exchange, formats: Formats): readonly Uncounted[] {
  let found: Uncounted[] | undefined;
  for (const attempt of exchange.attempts) {
    if (!attempt.call || !isUncounted(exchange, attempt)) continue;
    const texts = textsIn(exchange, attempt, formats);
    if (!texts && !attempt.usage) continue;
    found ??= [];
    found.push({ attempt, texts });
  }
  return found ?? none;
}

function isUncounted(exchange: Exchange, attempt: Attempt): boolean {
  if (isComplete(exchange, attempt)) return attempt.usage === undefined || isStopped(attempt);
  // What is counted here once is counted.
  if (attempt.usage?.estimated || !brokeOff(exchange, attempt)) return false;
  return attempt.usage === undefined || !hasFinished(attempt);
}

/** Whether a guardrail stopped an answer before its vendor had told the end of it, and what all of it used. */
const isStopped = (attempt: Attempt): boolean =>
  attempt.withheld !== undefined && attempt.usage?.estimated !== true && isDenied(attempt) && !hasFinished(attempt);

const none: readonly Uncounted[] = [];

/** Counts them. What cannot be counted stays unknown. */
export async function estimate(
  exchange: Exchange,
  uncounted: readonly Uncounted[],
  counter: Pick<TokenCounter, "count">,
): Promise<void> {
  const counting = uncounted.map(async ({ attempt, texts }) => {
    const counted = texts && (await countOf(texts, counter));
    const usage = usageOf(attempt.usage, counted);
    if (!usage) return;
    attempt.usage = usage;
    if (attempt === exchange.attempt) exchange.usage = usage;
  });
  await Promise.all(counting);
}

function usageOf(told: Usage | undefined, counted: Counted | undefined): Usage | undefined {
  if (told) return usedSoFar(told, counted);
  return counted && countedHere(counted);
}

async function countOf(
  { input, around, output, reasoning }: Texts,
  counter: Pick<TokenCounter, "count">,
): Promise<Counted | undefined> {
  const [asked, answered = 0, thought = 0] = (await counter.count([input, output, reasoning])) ?? [];
  return asked === undefined ? undefined : { input: asked + around, output: answered, reasoning: thought };
}

function textsIn(exchange: Exchange, attempt: Attempt, formats: Formats): Texts | undefined {
  const call = asFirst(exchange, attempt);
  const operation = operationOf(exchange, call);
  if (operation !== "chat" && operation !== "complete" && operation !== "embed") return undefined;
  const request = call.asked ?? attempt.target.request ?? exchange.request;
  if (!request || request.operation !== operation || (request.bytes?.length ?? 0) > longestBody) return undefined;
  try {
    return textsOf(
      operation,
      request.body,
      operation === "embed" ? undefined : answerOf(exchange, attempt, formats, request),
    );
  } catch {
    // What is not readable cannot be counted.
    return undefined;
  }
}

function answerOf(
  { answer, attempt: answering }: Exchange,
  attempt: Attempt,
  formats: Formats,
  { format = "", stream }: GatewayRequest<OperationName>,
): unknown {
  // A tap may have made another answer of it: what the vendor said is what it counts.
  if (attempt.withheld) return attempt.withheld;
  if (attempt === answering && answer?.response) return answer.response;
  const { answered } = attempt;
  if (!answered || stream || answered.length > longestBody) return undefined;
  return formats.get(format)?.decodeResponse(JSON.parse(answered.toString()));
}
