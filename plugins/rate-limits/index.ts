import {
  Counters,
  definePlugin,
  LimitedThings,
  LimitFinder,
  Organisations,
  Policies,
  type RatePolicy,
  Rates,
  Stage,
  StoredProviders,
  SureCounters,
  tapGate,
  whetherServing,
  z,
} from "../../core/index.ts";
import { RateGate } from "./gate.ts";
import { ruleOfPolicy, rulesOfThing } from "./rules.ts";

export default definePlugin({
  name: "rate-limits",
  summary: "Refuses with 429 what exceeds the rates of keys, workspaces, providers and policies.",
  options: z.strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe("Off: no rate is looked at, and nothing is counted. ${USAGE_LIMITS_ENABLED:-ON}"),
    window: z
      .enum(["fixed", "sliding"])
      .default("fixed")
      .describe(
        "`fixed` windows begin anew at each UTC minute, hour, day or Monday; `sliding` ones look back as long.",
      ),
    onStoreError: z
      .enum(["local", "deny"])
      .default("local")
      .describe(
        "While the store of the counters is away: count in this process, or answer 503 to what has a limit. Policies may " +
          "say it themselves.",
      ),
    expectedOutput: z
      .int()
      .min(0)
      .default(500)
      .describe("Tokens held for an answer that the request sets no bound for, until its usage is known."),
    holdFor: z
      .int()
      .min(1_000)
      .default(600_000)
      .describe("Milliseconds after which tokens held for a request are free again."),
  }),
  needs: [Counters],
  uses: [Organisations, Policies, StoredProviders],
  provides: [Rates],
  setup(
    { provide, hooks, service, offered, providers, log, onServing },
    { enabled, window, onStoreError, expectedOutput, holdFor },
  ) {
    const kept = offered(Policies);
    kept?.metBy?.("rates");
    if (!enabled) return provide(Rates, { along: () => undefined });
    const sliding = window === "sliding";
    const store = service(Counters);
    if (store.shared === "process")
      log.info("rates are counted in this process: several processes allow several times as much");
    const gate = new RateGate({
      finder: new LimitFinder({
        things: new LimitedThings({ offered, providers }),
        policies: ({ principal }) => kept?.rates(principal?.organisation, principal?.workspace) ?? none,
        counts: ({ target }) => target === "llm",
        ofThing: rulesOfThing,
        ofPolicy: ruleOfPolicy,
      }),
      counters: new SureCounters({ counters: store, onStoreError, log }),
      sliding,
      serving: whetherServing(onServing),
      holdFor,
      expectedOutput,
      log,
    });
    provide(Rates, gate);
    tapGate(hooks, "rate-limits", Stage.limit, gate);
  },
});

const none: readonly RatePolicy[] = [];
