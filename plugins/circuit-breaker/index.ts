import { Bus, definePlugin, Organisations, Routing, Stage, serviceToken, z } from "../../core/index.ts";
import { Breaker } from "./breaker.ts";
import { Circuits, type KnownCircuits, noCircuits } from "./circuits.ts";
import { healthEndpoint } from "./health.ts";
import { type BreakerPolicy, breakerPolicy } from "./policy.ts";
import { Sharing } from "./sharing.ts";

const Known = serviceToken<KnownCircuits>("circuits");

export default definePlugin({
  name: "circuit-breaker",
  summary: "Adds circuit breakers to the routing config: targets that keep failing are left out for a while.",
  options: z.strictObject({
    states: z
      .int()
      .positive()
      .default(10_000)
      .describe("Targets remembered at most, over all configs; those not heard of for longest are forgotten first."),
  }),
  needs: [Routing],
  uses: [Bus, Organisations],
  setup({ hooks, service, providers, offered, endpoint, kept, onServing, onClose }, options) {
    const routing = service(Routing);
    const sources = {
      mark: (...asked: Parameters<typeof providers.mark>) => providers.mark(...asked),
      hidden: (said: unknown) => routing.hidden(said),
    };
    const known = kept(Known, noCircuits);
    const circuits = new Circuits(options.states, sources, known);
    const sharing = new Sharing(offered(Bus));
    const breaker = new Breaker(circuits, sharing);
    onServing(() => {
      breaker.serve();
      const asked = () => {
        known.asked = true;
      };
      if (!known.asked) sharing.ask(asked);
    });
    onClose(sharing.listen(circuits));
    onClose(() => sharing.flush());
    routing.field({ name: "cb_config", schema: breakerPolicy, inherit: "nearest", opaque: true });
    routing.gate((node, walk) => node.fields.cb_config !== undefined && breaker.isShut(node, walk));
    routing.leaf((target, node, walk, inner) => {
      const policy = node.fields.cb_config as BreakerPolicy | undefined;
      return policy ? breaker.watch(target, node, policy, walk, inner) : inner(target);
    });
    hooks.cost.tap(
      {
        name: "circuit-breaker",
        stage: Stage.settle,
        when: ({ ending, attempts }) => ending === "truncated" || attempts.length > 1,
      },
      (exchange) => breaker.died(exchange, Date.now()),
    );
    endpoint(healthEndpoint(circuits, offered(Organisations)));
  },
});
