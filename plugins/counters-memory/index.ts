import cluster from "node:cluster";
import {
  Counters,
  definePlugin,
  MemoryCounters,
  SupervisedCounters,
  serviceToken,
  supervisorDesk,
  z,
} from "../../core/index.ts";

const Kept = serviceToken<MemoryCounters>("counters");

export default definePlugin({
  name: "counters-memory",
  summary: "Counts requests, tokens and money in memory, for all workers of this machine together.",
  options: z.strictObject({
    maxCounters: z
      .int()
      .min(1)
      .default(1_000_000)
      .describe(
        "How many counters there may be; beyond it those that expire first are dropped, and the log says so once.",
      ),
    timeout: z
      .int()
      .min(1)
      .default(100)
      .describe("Milliseconds the supervisor may take to answer a worker; in a single process nobody is asked."),
  }),
  provides: [Counters],
  setup({ provide, kept, onServing, onClose, log }, { maxCounters, timeout }) {
    if (cluster.isWorker) {
      const shared = new SupervisedCounters({ desk: supervisorDesk, most: maxCounters, timeout, log });
      onClose(() => shared.close());
      return provide(Counters, shared);
    }
    const onFull = (most: number) =>
      log.warn("there are too many counters: those that expire first are dropped", { maxCounters: most });
    // A reload begins no window anew, and requests of the generation before are settled where they were counted.
    const counters = kept(Kept, () => new MemoryCounters({ now: Date.now, most: maxCounters, onFull }));
    onServing(() => {
      counters.most = maxCounters;
    });
    onClose(counters.tend());
    provide(Counters, counters);
  },
});
