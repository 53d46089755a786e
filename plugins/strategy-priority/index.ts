import { definePlugin, Routing, z } from "../../core/index.ts";
import { priorityStrategy } from "./strategy.ts";

export default definePlugin({
  name: "strategy-priority",
  summary: "Adds the strategy that shares requests within a group of equal priority, and goes on to the next group.",
  options: z.strictObject({}),
  needs: [Routing],
  setup({ service }) {
    const routing = service(Routing);
    const schema = z.int().min(0).describe("Under a priority parent: lower is earlier; 0 unless said otherwise.");
    routing.field({ name: "priority", schema, inherit: "none" });
    routing.strategy(priorityStrategy);
  },
});
