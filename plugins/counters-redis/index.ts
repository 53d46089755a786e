import { Counters, definePlugin, Redis, z } from "../../core/index.ts";
import { RedisCounters } from "./redis-counters.ts";

export default definePlugin({
  name: "counters-redis",
  summary: "Counts requests, tokens and money in Redis, for all workers and machines of a deployment together.",
  options: z.strictObject({
    timeout: z
      .int()
      .min(1)
      .default(100)
      .describe("Milliseconds a call may take; slower, Redis counts as out of reach for that request."),
  }),
  needs: [Redis],
  provides: [Counters],
  setup({ service, provide, onServing, onClose, log }, { timeout }) {
    const counters = new RedisCounters({ redis: service(Redis), timeout, log });
    onClose(() => counters.close());
    provide(Counters, counters);
    onServing(() => onClose(counters.tend()));
  },
});
