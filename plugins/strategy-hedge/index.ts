import { definePlugin, Routing, z } from "../../core/index.ts";
import { hedgeStrategy } from "./strategy.ts";

export default definePlugin({
  name: "strategy-hedge",
  summary: "Adds the strategy that asks a second target when the first is slow, and takes the first good answer.",
  options: z.strictObject({}),
  needs: [Routing],
  setup({ service }) {
    service(Routing).strategy(hedgeStrategy);
  },
});
