import {
  type Answer,
  type Attempt,
  type Cost,
  CostSum,
  dollarsText,
  type Exchange,
  type PricedCall,
  type PricesService,
  type Usage,
  unknownCost,
  withTier,
} from "../../../core/index.ts";
import { countRatio, picodollarsOfCents, plus, ratioOf, times, zero } from "../arithmetic/ratio.ts";
import type { Priced } from "../lookup/layers.ts";
import type { PriceBook } from "../lookup/price-book.ts";
import type { Circumstances } from "../prices/circumstances.ts";
import { CallCircumstances, modelIn } from "./circumstances.ts";

type Call = Pick<Attempt, "target" | "asked"> &
  Partial<Pick<Attempt, "received" | "model" | "batch">> & {
    /** Where it is not that of the exchange yet. */
    readonly answer?: Pick<Answer, "response"> | undefined;
  };

/** Says what calls cost. Synchronous: what is not at hand is not known. */
export class Pricer implements PricesService {
  readonly #book: PriceBook;
  /** Called when a price is asked for. */
  readonly #wanted: () => Promise<void> | undefined;

  constructor(book: PriceBook, wanted: () => Promise<void> | undefined) {
    this.#book = book;
    this.#wanted = wanted;
  }

  /** Resolves when all prices are at hand. */
  ready(): Promise<void> | undefined {
    return this.#wanted();
  }

  costOf({ exchange, attempt, batch, calls }: PricedCall, usage: Usage): Cost {
    this.#wanted();
    return this.priced(exchange, attempt, usage, batch, calls);
  }

  priced(exchange: Exchange, call: Call, usage: Usage, batch = call.batch === true, calls = 1): Cost {
    const { paidTiers } = call.target.provider;
    if (usage.serviceTier !== undefined && paidTiers?.includes(usage.serviceTier)) return paidAsAWhole;
    const prices = this.#pricesOf(exchange, call);
    const stated = this.#stated(exchange, call, usage, prices);
    if (stated) return stated;
    const circumstances = new CallCircumstances(call, batch, calls, usage);
    return this.#ofModels(exchange, call, usage, circumstances) ?? costAt(prices, usage, circumstances);
  }

  /** What several models cost that answered together, where the answer tells what each of them used: nobody here has said otherwise. */
  #ofModels(exchange: Exchange, call: Call, usage: Usage, circumstances: Circumstances): Cost | undefined {
    const { byModel, uncounted, serviceTier } = usage;
    if (!byModel) return undefined;
    const { principal, receivedAt } = exchange;
    const { provider } = call.target;
    const pricesOf = (model: string) => this.#book.prices({ provider, model, principal }).at(receivedAt);
    const whole = pricesOf(modelOf(exchange, call) ?? "");
    if (whole && whole.source !== "catalogue") return undefined;
    const sum = new CostSum();
    for (const one of byModel) sum.add(costAt(pricesOf(one.model), withTier(one.usage, serviceTier), circumstances));
    const { total } = sum;
    if (total.amount !== undefined && !uncounted) return total;
    return sum.budgeted === "0" ? unknownCost : { ...unknownCost, atLeast: sum.budgeted };
  }

  /** What the provider says it charged, where its word counts: nobody here has said what the model costs. */
  #stated(exchange: Exchange, call: Call, { charged }: Usage, prices: Priced | undefined): Cost | undefined {
    const { provider } = call.target;
    if (!charged || !provider.statesCost || (prices && prices.source !== "catalogue")) return undefined;
    const { principal } = exchange;
    const { multiplier } = this.#book.prices({ provider, model: modelOf(exchange, call) ?? "", principal });
    const dollars = charged.map(ratioOf).reduce(plus, zero);
    const cents = times(times(dollars, multiplier), countRatio(100));
    return { amount: dollarsText(picodollarsOfCents(cents)), currency: "USD", source: "provider" };
  }

  costElsewhere({ principal, receivedAt }: Exchange, vendor: string, model: string, usage: Usage): Cost {
    this.#wanted();
    const provider = { name: vendor, slug: vendor };
    return costAt(this.#book.prices({ provider, model, principal }).at(receivedAt), usage);
  }

  /** What a call costs, however much it uses; undefined where that depends on it. */
  flat(exchange: Exchange, call: Call): Cost | undefined {
    const prices = this.#pricesOf(exchange, call);
    const cents = prices?.tariff.flatCents(new CallCircumstances(call, call.batch === true, 1));
    return (
      prices && cents && { amount: dollarsText(picodollarsOfCents(cents)), currency: "USD", source: prices.source }
    );
  }

  #pricesOf(exchange: Exchange, call: Call): Priced | undefined {
    const { provider } = call.target;
    const { principal, receivedAt } = exchange;
    const model = modelOf(exchange, call);
    const found = model === undefined ? undefined : this.#book.prices({ provider, model, principal }).at(receivedAt);
    if (found || (model !== undefined && provider.pricing?.(model)?.own)) return found;
    const answered = modelIn(call.received) ?? modelAnswering(exchange, call);
    if (answered === undefined || answered === model) return undefined;
    return this.#book.prices({ provider, model: answered, principal }).at(receivedAt);
  }
}

/** What a provider was paid for ahead (policies.md section 9.4, provisioned throughput). */
const paidAsAWhole: Cost = Object.freeze({ amount: "0", currency: "USD", source: "config" });

function costAt(prices: Priced | undefined, usage: Usage, circumstances?: Circumstances): Cost {
  const cents = prices?.tariff.cents(usage, circumstances);
  if (!prices || !cents) return unknownCost;
  const amount = dollarsText(picodollarsOfCents(cents));
  if (usage.repriced || prices.tariff.isCheaper(usage, circumstances)) return { ...unknownCost, atMost: amount };
  if (prices.tariff.lacks(usage, circumstances)) return { ...unknownCost, atLeast: amount };
  const { source } = prices;
  return usage.estimated ? { amount, currency: "USD", source, estimated: true } : { amount, currency: "USD", source };
}

/** The model a target is asked for. A retry is asked what the call before was. */
export function modelOf({ request }: Pick<Exchange, "request">, { asked, target, model }: Call): string | undefined {
  const shaped = target.shape?.overrides?.model;
  return (
    asked?.model ??
    target.model ??
    (typeof shaped === "string" ? shaped : undefined) ??
    (target.request ?? request)?.model ??
    model
  );
}

/** The model of the answer the client has, where that is the answer of this call. */
function modelAnswering({ answer, attempt }: Exchange, call: Call): string | undefined {
  const response = (call.answer ?? (attempt === call ? answer : undefined))?.response;
  return response && "model" in response && typeof response.model === "string" ? response.model : undefined;
}
