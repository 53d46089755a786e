import { z } from "zod";
import { definePlugin, Routing } from "../../core/index.ts";
import { fallbackStrategy } from "./strategy.ts";

export default definePlugin({
  name: "strategy-fallback",
  summary: "Adds the strategy that tries targets in order until one answers well.",
  options: z.strictObject({}),
  needs: [Routing],
  setup({ service }) {
    service(Routing).strategy(fallbackStrategy);
  },
});
