import {
  ApiKeys,
  Blobs,
  definePlugin,
  isForGateway,
  isRecord,
  ManagedFiles,
  Metrics,
  managedFilePrefix,
  Records,
  Routing,
  Sealing,
  tapOwnProvider,
  whetherServing,
  z,
} from "../../core/index.ts";
import { BatchMetrics } from "./batch-metrics.ts";
import { systemClock } from "./clock.ts";
import { batchPrefix } from "./document.ts";
import { HeaderKeeper } from "./gateway-options.ts";
import { batchProcedures } from "./procedures.ts";
import { BatchStore } from "./store.ts";
import { Worker } from "./worker.ts";

const answered = new Set(["createBatch", "listBatches", "retrieveBatch", "getBatchOutput", "cancelBatch"]);
const ownBatch = new RegExp(`/batches/${batchPrefix}`);
const milliseconds = z.int().min(1);

export default definePlugin({
  name: "managed-batches",
  summary: "Runs batches for clients that name no provider at /v1/batches: line by line here, or at a provider.",
  options: z.strictObject({
    maxLines: z.int().min(1).max(500_000).default(500_000).describe("Lines of a batch at most."),
    groupLines: z.int().min(1).max(1000).default(25).describe("Lines of a batch that are sent at once."),
    groupInterval: z.int().min(0).default(5_000).describe("Milliseconds from one group of lines to the next."),
    retries: z
      .int()
      .min(0)
      .max(10)
      .default(3)
      .describe("Times a line is sent again that failed in passing, where its routing config has no `retry`."),
    statusInterval: milliseconds
      .default(10_000)
      .transform((given) => Math.max(given, 10_000))
      .describe("Milliseconds between two looks at a provider's batch; less than 10000 is 10000."),
    atOnce: z
      .int()
      .min(1)
      .max(1000)
      .default(8)
      .describe("Batches that a process works on at once; those that wait for a provider do not count."),
    lease: z
      .int()
      .min(1_000)
      .default(60_000)
      .describe("Milliseconds after which another process goes on with the batch of one that says nothing any more."),
    scanInterval: milliseconds.default(5_000).describe("Milliseconds between two looks for batches without a worker."),
  }),
  needs: [Records, Blobs, ManagedFiles],
  uses: [ApiKeys, Metrics, Routing, Sealing],
  setup({ service, offered, own, hooks, endpoints, formats, log, onServing, onLeaving, onClose }, options) {
    const clock = systemClock;
    const store = new BatchStore(service(Records), clock.now);
    const files = service(ManagedFiles);
    const headers = new HeaderKeeper(offered(Sealing));
    const metrics = offered(Metrics);
    const worker = new Worker({
      store,
      metrics: metrics && new BatchMetrics(metrics),
      working: {
        own,
        blobs: service(Blobs),
        files,
        headers,
        keys: offered(ApiKeys),
        formatAt: (path) => {
          const found = endpoints.find(
            (one) => one.method === "POST" && one.path === path && one.operation && !one.url,
          );
          return found && formats.get(found.format ?? "");
        },
        clock,
        log,
        options,
      },
      ...options,
    });
    const serving = whetherServing(onServing);
    const parts = { store, files, headers, now: clock.now, begun: () => serving() && worker.wake() };
    tapOwnProvider(hooks, "managed-batches", async (exchange) => {
      const { endpoint, url, request } = exchange;
      if (!answered.has(endpoint.type)) return undefined;
      const isOurs =
        ownBatch.test(url) || namesOwnFile(request?.json) || (await isForGateway(exchange, offered(Routing)));
      return isOurs ? batchProcedures(parts, exchange) : undefined;
    });
    onServing(() => {
      worker.start();
      onLeaving(() => worker.leave());
      onClose(() => worker.stop());
    });
  },
});

/** A batch over a file of the gateway's own, whoever else is named. */
const namesOwnFile = (json: unknown): boolean =>
  isRecord(json) && typeof json.input_file_id === "string" && json.input_file_id.startsWith(managedFilePrefix);
