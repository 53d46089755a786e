import { z } from "zod";
import { definePlugin, Routing } from "../../core/index.ts";
import { assignments } from "./assignments.ts";
import { loadbalanceStrategy } from "./strategy.ts";

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
  setup({ service }, options) {
    service(Routing).strategy(loadbalanceStrategy(assignments(options.assignments)));
  },
});
