import { definePlugin, Management, Policies, type PolicyCounters, Records } from "../../core/index.ts";
import { policiesInForce, ratePolicy, usagePolicy } from "./in-force.ts";
import { declaredRates, declaredUsage, policyOptions } from "./options.ts";
import { rateStore, usageStore } from "./policy-store.ts";
import { manageRatePolicies } from "./rates.ts";
import { manageUsagePolicies } from "./usage.ts";

export default definePlugin({
  name: "policy-records",
  summary: "Budgets and rate limits by conditions, kept in the store or in the config file and managed over the API.",
  options: policyOptions,
  needs: [Management, Records],
  provides: [Policies],
  setup({ service, provide, onClose }, options) {
    const management = service(Management);
    const records = service(Records);
    const ofFile = { usage: declaredUsage(options, Date.now()), rates: declaredRates(options) };
    const usage = usageStore({ records, declared: ofFile.usage });
    const rates = rateStore({ records, declared: ofFile.rates });
    const inForce = {
      usage: policiesInForce(usage, ofFile.usage, usagePolicy),
      rates: policiesInForce(rates, ofFile.rates, ratePolicy),
    };
    onClose(inForce.usage.close);
    onClose(inForce.rates.close);
    let counters: PolicyCounters | undefined;
    provide(Policies, {
      usage: inForce.usage.find,
      rates: inForce.rates.find,
      countedBy(given) {
        counters = given;
      },
    });
    manageUsagePolicies({ management, store: usage, counters: () => counters, now: Date.now });
    manageRatePolicies(management, rates);
  },
});
