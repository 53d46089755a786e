import {
  type Attempt,
  budgeted,
  type Exchange,
  type ExpectedTokens,
  expectedAnswers,
  expectedTokens,
  type GatewayRequest,
  type PricesService,
  picodollarsOf,
  type Usage,
} from "../../core/index.ts";

/** What requests may use, before anybody knows: hard budgets make room for it. */
export class Expectations {
  readonly #prices: PricesService | undefined;
  readonly #output: number;

  /** `output`: tokens of an answer that the request sets no bound for. */
  constructor(prices: PricesService | undefined, output: number) {
    this.#prices = prices;
    this.#output = output;
  }

  /** Prices are at hand from then on; undefined where they are. */
  ready(): Promise<void> | undefined {
    return this.#prices?.ready?.();
  }

  tokens(request: GatewayRequest | undefined): bigint {
    const { input, output } = this.#of(request);
    return BigInt(input + output);
  }

  /** Picodollars that the call of the target under way will cost; undefined where it has no price. */
  cost(exchange: Exchange, request: GatewayRequest): bigint | undefined {
    const { attempt } = exchange;
    if (!attempt) return undefined;
    const { input, output } = this.#of(request);
    const asked = { target: attempt.target, asked: request };
    const usage = { inputTokens: input, outputTokens: output, ...countedBeside(exchange, request) };
    return this.#costOf(exchange, asked, usage);
  }

  /** What targets before this one are known to have cost: their answers are there, and were no good. */
  spentBefore(exchange: Exchange, attempt: Attempt): bigint {
    let spent = 0n;
    for (const before of exchange.attempts) {
      if (before === attempt || before.lane !== attempt.lane) continue;
      const usage = usageOf(before);
      if (usage) spent += this.#costOf(exchange, before, usage) ?? 0n;
    }
    return spent;
  }

  #of(request: GatewayRequest | undefined): ExpectedTokens {
    return expectedTokens(request, this.#output);
  }

  #costOf(exchange: Exchange, attempt: Pick<Attempt, "target" | "asked">, usage: Usage): bigint | undefined {
    const cost = this.#prices?.costOf({ exchange, attempt }, usage);
    const amount = budgeted(cost);
    return amount === undefined ? undefined : picodollarsOf(amount);
  }
}

/** What is counted of answers that are not text. */
function countedBeside({ endpoint: { operation } }: Exchange, request: GatewayRequest): Usage | undefined {
  switch (operation) {
    case "image":
    case "imageEdit":
    case "imageVariation":
      return { images: expectedAnswers(request) };
    case "rerank":
      return { searchUnits: 1 };
    default:
      return undefined;
  }
}

/** What is not readable is not known. */
export function usageOf(attempt: Attempt): Usage | undefined {
  try {
    return attempt.usage ?? attempt.readUsage?.();
  } catch {
    return undefined;
  }
}
