import { definePlugin, Routing, whetherServing, z } from "../../core/index.ts";
import { latencies } from "./latencies.ts";
import { leastLatencyStrategy } from "./strategy.ts";

export default definePlugin({
  name: "strategy-least-latency",
  summary: "Adds the strategy that asks the target that answered fastest of late.",
  options: z.strictObject({
    forgetAfter: z.int().positive().default(600_000).describe("Milliseconds after which a measurement is forgotten."),
    remembered: z.int().positive().default(10_000).describe("Targets remembered at most; the oldest are forgotten."),
  }),
  needs: [Routing],
  setup({ service, onServing }, { forgetAfter, remembered }) {
    service(Routing).strategy(leastLatencyStrategy(latencies(forgetAfter, remembered), whetherServing(onServing)));
  },
});
