import {
  AuditTrail,
  Budgets,
  Counters,
  definePlugin,
  LimitedThings,
  LimitFinder,
  Metrics,
  Notifications,
  Organisations,
  Policies,
  Prices,
  Rates,
  Records,
  Stage,
  StoredProviders,
  SureCounters,
  tapGate,
  type UsagePolicy,
} from "../../core/index.ts";
import { Accounts } from "./accounts.ts";
import { alerting } from "./alerts.ts";
import { type Budget, budgetOfPolicy, budgetsOfThing } from "./budgets.ts";
import { editedPolicies } from "./edited-policies.ts";
import { policyCounters } from "./entities.ts";
import { Expectations } from "./expectations.ts";
import { BudgetGate } from "./gate.ts";
import { Ledger } from "./ledger.ts";
import { budgetCounter } from "./of-things.ts";
import { usageOptions } from "./options.ts";
import { patience, tending } from "./tending.ts";

export default definePlugin({
  name: "usage-limits",
  summary: "Refuses with 412 what exceeds the budgets of keys, workspaces, providers and policies.",
  options: usageOptions,
  needs: [Counters],
  uses: [AuditTrail, Budgets, Metrics, Notifications, Organisations, Policies, Prices, Rates, Records, StoredProviders],
  setup({ hooks, service, offered, providers, log, onServing, onClose }, options) {
    const kept = offered(Policies);
    kept?.metBy?.("usage");
    if (!options.enabled) return;
    const store = service(Counters);
    const records = offered(Records);
    const ledger = records && new Ledger(records);
    const now = () => store.now();
    const accounts = new Accounts({
      counters: store,
      ledger,
      log,
      now,
      edited: kept && editedPolicies(kept),
      settleInterval: options.settleInterval,
      crossed: alerting({
        notifications: offered(Notifications),
        trail: offered(AuditTrail),
        counter: offered(Metrics)?.counter({
          name: "limit_event_count",
          help: "Budgets that crossed their alert threshold or their limit.",
          labels: ["event", "level"],
        }),
        log,
      }),
    });
    const gate = new BudgetGate({
      finder: new LimitFinder<UsagePolicy, Budget>({
        things: new LimitedThings({ offered, providers }),
        policies: ({ principal }) => kept?.usage(principal?.organisation, principal?.workspace) ?? none,
        ofThing: (thing) => budgetsOfThing(thing, options.enforcement),
        ofPolicy: budgetOfPolicy,
      }),
      accounts,
      counters: new SureCounters({ counters: store, onStoreError: options.onStoreError, log }),
      rates: offered(Rates),
      expectations: new Expectations(offered(Prices), options.expectedOutput),
      holdFor: options.holdFor,
      now,
    });
    if (ledger) kept?.countedBy(policyCounters(ledger, accounts, { now, log }));
    offered(Budgets)?.countedBy(budgetCounter(ledger, accounts, { now, log, enforcement: options.enforcement }));
    if (ledger)
      onClose(
        ledger.changes(
          ({ tenant, id, written }) => void accounts.changed(tenant, id, written?.version),
          () => accounts.missed(),
        ),
      );
    // A gateway that is only looked at changes nothing.
    onServing(() => {
      accounts.serve();
      onClose(tending(accounts, { ...options, shared: store.shared }), patience + 1_000);
    });
    tapGate(hooks, "usage-limits", Stage.budget, gate);
  },
});

const none: readonly UsagePolicy[] = [];
