import { definePlugin, type Exchange, Prices, Stage, unknownCost } from "../../core/index.ts";
import { priceListEndpoints } from "./api/price-lists.ts";
import { bill } from "./billing/bill.ts";
import { isAskedFor, tellCost } from "./billing/headers.ts";
import { Pricer } from "./billing/pricer.ts";
import { PriceLoader } from "./catalogue/loading.ts";
import { PriceProxy } from "./catalogue/proxy.ts";
import { FetchedPrices, priceSource } from "./catalogue/sources.ts";
import { estimate, uncountedIn } from "./counting/estimate.ts";
import { TokenCounter } from "./counting/token-counter.ts";
import { PriceBook } from "./lookup/price-book.ts";
import { unmatchedKeys } from "./lookup/unmatched-keys.ts";
import { pricingOptions } from "./options.ts";

export default definePlugin({
  name: "pricing",
  summary: "Says what every request cost, or that nobody knows.",
  options: pricingOptions,
  provides: [Prices],
  setup({ hooks, provide, endpoint, formats, providers, log, folder, ask, kept, onServing, onClose }, options) {
    const book = new PriceBook(
      options,
      (model, error) =>
        log.warn("prices of a model of an integration cannot be read, or are not counted", { model, error }),
      (name) => providers.isVendor(name),
    );
    const fetched = kept(FetchedPrices, () => new Map());
    const parts = { folder, ask, log, fetched };
    const { enabled, url, vendors } = options.proxy;
    const proxies = enabled && url !== undefined ? [new PriceProxy({ url, vendors }, parts)] : [];
    const loader = new PriceLoader({
      book,
      catalogue: options.catalogue,
      sources: [...proxies, ...options.sources.map((source) => priceSource(source, parts))],
      before: [...proxies.map(({ before }) => before), ...options.sources.map((one) => fetched.get(one)?.vendors)],
      log,
    });
    const { ready } = loader;
    onServing(() => {
      loader.keepFresh(options.refresh * hour);
      for (const { key, reason } of unmatchedKeys(options, providers))
        log.warn("a price is of no provider of the file: it holds where a caller names the vendor only", {
          key,
          reason,
        });
    });
    onClose(() => loader.close());
    const pricer = new Pricer(book, ready);
    provide(Prices, pricer);
    const counter = new TokenCounter();
    onClose(() => counter.close());
    /** A price that makes trouble is not known; the request is recorded all the same. */
    const billed = (exchange: Exchange): void => {
      try {
        bill(exchange, pricer, formats);
      } catch (error) {
        exchange.cost = unknownCost;
        log.error("a request could not be priced", { request: exchange.id, error });
      }
    };
    const settled = async (exchange: Exchange): Promise<void> => {
      await ready();
      if (options.countTokens) await estimate(exchange, uncountedIn(exchange, formats), counter);
      billed(exchange);
    };
    hooks.cost.tapAsync({ name: "pricing", stage: Stage.price }, (exchange, done) => {
      if (isOfNobody(exchange)) return done();
      const waits = ready() !== undefined || (options.countTokens && uncountedIn(exchange, formats).length > 0);
      if (waits) return void settled(exchange).then(() => done(), done);
      billed(exchange);
      done();
    });
    hooks.afterRequest.tapPromise(
      { name: "pricing", stage: Stage.record, when: isAskedFor, bytesWillDo: true },
      async (answer, exchange) => {
        await ready();
        tellCost(answer, exchange, pricer);
        return answer;
      },
    );
    for (const one of priceListEndpoints(book, ready, Date.now)) endpoint(one);
  },
});

const hour = 3_600_000;

/** What the gateway answers itself has no price, and is no call of anybody's. */
const isOfNobody = ({ endpoint, attempts }: Exchange): boolean => endpoint.serve !== undefined && attempts.length === 0;
