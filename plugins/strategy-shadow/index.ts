import { definePlugin, Routing, z } from "../../core/index.ts";
import { shadowStrategy } from "./strategy.ts";

export default definePlugin({
  name: "strategy-shadow",
  summary: "Adds the strategy that sends copies of requests to further targets, whose answers are only recorded.",
  options: z.strictObject({}),
  needs: [Routing],
  setup({ service }) {
    service(Routing).strategy(shadowStrategy);
  },
});
