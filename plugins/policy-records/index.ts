import {
  definePlugin,
  GatewayError,
  Management,
  type ManagementCall,
  Organisations,
  Policies,
  type PolicyCounters,
  type PolicyKind,
  Prices,
  Records,
} from "../../core/index.ts";
import { Entities } from "./entities.ts";
import { policiesInForce, ratePolicy, usagePolicy } from "./in-force.ts";
import { declaredRates, declaredUsage, policyOptions } from "./options.ts";
import { rateStore, usageStore } from "./policy-store.ts";
import { manageRatePolicies } from "./rates.ts";
import { unmetPolicies } from "./unmet.ts";
import { manageUsagePolicies } from "./usage.ts";

export default definePlugin({
  name: "policy-records",
  summary: "Budgets and rate limits by conditions, kept in the store or in the config file and managed over the API.",
  options: policyOptions,
  needs: [Management, Records],
  uses: [Organisations, Prices],
  provides: [Policies],
  setup({ service, offered, provide, changedAt, onReady, onClose, log }, options) {
    const management = service(Management);
    const records = service(Records);
    const ofFile = { usage: declaredUsage(options, Date.now()), rates: declaredRates(options) };
    const usage = usageStore({ records, declared: ofFile.usage });
    const rates = rateStore({ records, declared: ofFile.rates });
    const inForce = {
      usage: policiesInForce(usage, ofFile.usage, usagePolicy, changedAt("usageLimits")),
      rates: policiesInForce(rates, ofFile.rates, ratePolicy, changedAt("rateLimits")),
    };
    onClose(inForce.usage.close);
    onClose(inForce.rates.close);
    let counters: PolicyCounters | undefined;
    const met = new Set<PolicyKind>();
    provide(Policies, {
      usage: options.enabled ? inForce.usage.find : none,
      rates: options.enabled ? inForce.rates.find : none,
      countedBy(given) {
        counters = given;
      },
      metBy: (kind) => void met.add(kind),
    });
    if (!options.enabled) management.guard(refusePolicies);
    else
      onReady(() => {
        for (const { message, fields } of unmetPolicies(options, met, offered(Prices) !== undefined))
          log.warn(message, fields);
      });
    const organisations = offered(Organisations);
    const entities = new Entities({ counters: () => counters, home: () => organisations?.home() });
    manageUsagePolicies({ management, store: usage, counters: () => counters, entities, now: Date.now });
    manageRatePolicies(management, rates);
  },
});

const none = (): readonly never[] => [];

/** Every operation of policies asks for a scope of theirs, and no other one does. */
function refusePolicies(_: ManagementCall, scopes: readonly string[]): void {
  if (scopes.some((scope) => scope.startsWith("policies.")))
    throw new GatewayError("forbidden", "Policies are switched off on this gateway (policy-records: enabled).");
}
