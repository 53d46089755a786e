import { z } from "zod";
import { definePlugin, Routing } from "../../core/index.ts";
import { conditionalStrategy } from "./strategy.ts";

export default definePlugin({
  name: "strategy-conditional",
  summary: "Adds the strategy that chooses a target by what a request says.",
  options: z.strictObject({}),
  needs: [Routing],
  setup({ service }) {
    service(Routing).strategy(conditionalStrategy);
  },
});
