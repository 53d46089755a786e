import { isRecord, jsonOr } from "../codec-kit/records.ts";
import { recognised } from "../codec-kit/usage/recognised.ts";
import type { Attempt } from "../model/attempt.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Format } from "../model/format.ts";
import type { JobAnswer } from "../model/job-wire.ts";
import type { Target } from "../model/route.ts";
import type { Cost, Usage } from "../model/usage.ts";
import { CostSum, unknownCost } from "../money/total-cost.ts";
import { usageSum } from "../money/usage-sums.ts";
import type { PricesService } from "../services/prices.ts";

export interface MeterInput {
  readonly exchange: Exchange;
  readonly attempt: Attempt;
  readonly formats: Pick<ReadonlyMap<string, Format>, "values">;
  readonly prices: PricesService | undefined;
  /** Whether it is no batch: those have prices of their own. */
  readonly single?: boolean;
}

/** What all of a job used. */
export interface JobTotal {
  readonly usage: Usage;
  readonly cost?: Cost;
  /** Where it was one. */
  readonly model?: string;
}

/** What the lines of a job used, each at its own price: long prompts are dearer, and sums of short ones are none. */
export class JobMeter {
  readonly #input: MeterInput;
  readonly #cost = new CostSum();
  readonly #targets = new Map<string | undefined, Target>();
  /** Lines that came before the prices were there. */
  #early: (() => void)[] = [];
  #usage: Usage | undefined;
  /** A line was answered without saying what it used. */
  #unknown = false;

  constructor(input: MeterInput) {
    this.#input = input;
  }

  /** A line of results, of whichever vendor. */
  line(text: string): void {
    const wire = jsonOr(text);
    if (!isRecord(wire)) return;
    for (const { jobs } of this.#input.formats.values()) {
      const answer = jobs?.answerIn(wire);
      if (answer) return this.answer(answer);
    }
  }

  /** `otherwise` is the model where the answer names none. */
  answer({ body, failed }: JobAnswer, otherwise?: string): void {
    const { usage, model = otherwise } = recognised(body, this.#input.formats.values());
    if (usage) this.add(usage, model);
    else if (!failed) this.#unknown = true;
  }

  /** A line that cannot be looked into. */
  unreadable(): void {
    this.#unknown = true;
  }

  /** `calls` is how many the usage is of. */
  add(usage: Usage, model: string | undefined, calls = 1): void {
    this.#usage = usageSum(this.#usage, usage);
    const target = this.#targetOf(model);
    const priced = () => {
      const { prices, exchange, single } = this.#input;
      if (prices) this.#cost.add(prices.costOf({ exchange, attempt: { target }, batch: !single, calls }, usage));
    };
    if (this.#input.prices?.ready?.()) this.#early.push(priced);
    else priced();
  }

  /** What all of it used; undefined where no line says anything. */
  async total(): Promise<JobTotal | undefined> {
    if (!this.#usage) return undefined;
    await this.#input.prices?.ready?.();
    for (const priced of this.#early.splice(0)) priced();
    const [model, ...others] = this.#targets.keys();
    return {
      usage: this.#usage,
      ...(this.#input.prices && { cost: this.#costOfAll() }),
      ...(model !== undefined && others.length === 0 && { model }),
    };
  }

  /** What one line says nothing of nobody knows as a whole; the others were paid for all the same. */
  #costOfAll(): Cost {
    const cost = this.#unknown ? unknownCost : this.#cost.total;
    return cost.amount === undefined ? { ...cost, atLeast: this.#cost.budgeted } : cost;
  }

  #targetOf(model: string | undefined): Target {
    const { target } = this.#input.attempt;
    const known = this.#targets.get(model) ?? (model === undefined ? target : { ...target, model });
    this.#targets.set(model, known);
    return known;
  }
}
