import { AgedMap, Bus, Cache, definePlugin, Routing, serviceToken, z } from "../../core/index.ts";
import { Agreement } from "./agreement.ts";
import { assignments, type KnownAssignments } from "./assignments.ts";
import { loadbalanceStrategy } from "./strategy.ts";

const Known = serviceToken<KnownAssignments>("assignments");

export default definePlugin({
  name: "strategy-loadbalance",
  summary: "Adds the strategy that divides requests among targets by weight, and may keep a caller with its target.",
  options: z.strictObject({
    assignments: z
      .int()
      .positive()
      .default(100_000)
      .describe("Callers remembered at most, over all groups with `sticky`; the oldest are forgotten first."),
  }),
  needs: [Routing],
  uses: [Cache, Bus],
  setup({ service, offered, kept, log, onServing, onClose }, options) {
    // A reload sends nobody elsewhere: a key says which children its group had.
    const local = assignments(
      options.assignments,
      kept(Known, () => new AgedMap()),
    );
    const agreement = new Agreement(local, { cache: offered(Cache), bus: offered(Bus) });
    onServing(() => agreement.serve());
    onClose(agreement.listen());
    onClose(() => agreement.flush());
    const routing = service(Routing);
    routing.strategy(loadbalanceStrategy(local, agreement, (said) => routing.hidden(said), log));
  },
});
