import { definePlugin, Routing, z } from "../../core/index.ts";
import { leastCostStrategy, price } from "./strategy.ts";

export default definePlugin({
  name: "strategy-least-cost",
  summary: "Adds the strategy that asks the target for which a request is estimated to cost least.",
  options: z.strictObject({}),
  needs: [Routing],
  setup({ service }) {
    const routing = service(Routing);
    routing.field({ name: "price", schema: price, inherit: "nearest" });
    routing.strategy(leastCostStrategy);
  },
});
