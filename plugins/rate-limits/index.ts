import {
  Counters,
  definePlugin,
  type Exchange,
  type GatewayRequest,
  isAnswer,
  LimitedThings,
  Organisations,
  Policies,
  type RatePolicy,
  Stage,
  StoredProviders,
  SureCounters,
  settleTap,
  z,
} from "../../core/index.ts";
import { foresee } from "./foresight.ts";
import { RateGate } from "./gate.ts";
import { settling } from "./settling.ts";

export default definePlugin({
  name: "rate-limits",
  summary: "Refuses with 429 what exceeds the rates of keys, workspaces, providers and policies.",
  options: z.strictObject({
    window: z
      .enum(["fixed", "sliding"])
      .default("fixed")
      .describe(
        "`fixed` windows begin anew at each UTC minute, hour, day or Monday; `sliding` ones look back as long.",
      ),
    onStoreError: z
      .enum(["local", "deny"])
      .default("local")
      .describe("While the store of the counters is away: count in this process, or answer 503 to what has a limit."),
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
  setup({ hooks, service, offered, providers, log }, { window, onStoreError, expectedOutput, holdFor }) {
    const sliding = window === "sliding";
    const store = service(Counters);
    const kept = offered(Policies);
    if (store.shared === "process")
      log.debug("rates are counted in this process: several processes allow several times as much");
    const gate = new RateGate({
      things: new LimitedThings({
        organisations: offered(Organisations),
        providers: offered(StoredProviders),
        configured: (slug) => providers.configured(slug) !== undefined,
      }),
      policies: ({ principal }) => kept?.rates(principal?.organisation, principal?.workspace) ?? none,
      counters: new SureCounters({ counters: store, onStoreError, log }),
      sliding,
      holdFor,
      expectedOutput,
    });
    hooks.routeSelect.tapAsync({ name: "rate-limits", stage: Stage.pace }, (exchange, done) =>
      settleTap(exchange.role === "imagined" ? foreseen(exchange) : gate.admit(exchange), done),
    );
    hooks.beforeRequest.tapAsync(
      { name: "rate-limits", stage: Stage.pace, foresee: foreseen },
      (seen, exchange, done) => {
        settleTap(isAnswer(seen) ? undefined : gate.meet(exchange, seen), done);
      },
    );
    const settle = settling({ sliding, log });
    hooks.cost.tapAsync({ name: "rate-limits", stage: Stage.settle }, (exchange, done) =>
      settleTap(settle(exchange), done),
    );

    async function foreseen(exchange: Exchange, request?: GatewayRequest): Promise<undefined> {
      await foresee(exchange, await gate.rules(request ? "target" : "admission", exchange, request), store);
    }
  },
});

const none: readonly RatePolicy[] = [];
