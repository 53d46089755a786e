import { definePlugin, type Endpoint, Metrics, Stage, workersChannel } from "../../core/index.ts";
import { bucketsIn, usualBuckets } from "./buckets.ts";
import { ExchangeMetrics } from "./exchange/exchange-metrics.ts";
import { gate } from "./gate.ts";
import { metricsOptions } from "./options.ts";
import { processState } from "./process-state.ts";
import { Declarations } from "./registry/declarations.ts";
import { contentType } from "./registry/exposition.ts";
import { foldedCounts } from "./registry/folded.ts";
import { Runtime } from "./runtime.ts";
import { Scrape } from "./scrape.ts";
import { Peers } from "./workers/peers.ts";

/** Milliseconds other workers may take to say what they counted. */
const deadline = 1_000;

export default definePlugin({
  name: "metrics",
  summary: "Counts what the gateway does, and shows it to Prometheus at /metrics.",
  options: metricsOptions,
  provides: [Metrics],
  setup({ provide, hooks, endpoint, log, onServing, onClose }, options) {
    const { enabled, token, app, env, maxSeries } = options;
    const state = processState(log);
    const read = (name: "httpDurationBuckets" | "histogramBuckets" | "gcBuckets", usual: readonly number[]) =>
      bucketsIn(options[name], usual, name, log);
    const buckets = {
      seconds: read("httpDurationBuckets", usualBuckets.httpSeconds),
      milliseconds: read("histogramBuckets", usualBuckets.milliseconds),
    };
    const gcBuckets = read("gcBuckets", usualBuckets.gcSeconds);
    const declarations = new Declarations({
      kept: state.families,
      maxSeries,
      buckets: buckets.milliseconds,
      reserved: ["app", "env"],
      log,
    });
    provide(Metrics, declarations);
    // What others declare is counted all the same: they need not know that nobody looks.
    if (!enabled) return;
    const exchanges = new ExchangeMetrics(declarations, options, buckets);
    hooks.cost.tap({ name: "metrics", stage: Stage.record }, (exchange) => exchanges.take(exchange));

    const { self } = workersChannel;
    const report = async () => ({
      counted: [...declarations.families.map(({ counted }) => counted), foldedCounts(declarations.families)],
      runtime: (await state.runtime?.read(self)) ?? [],
    });
    const scrape = new Scrape({
      report,
      gather: () => state.peers?.gather(),
      shared: [
        ["app", app],
        ["env", env],
      ],
    });
    const own: Endpoint = {
      type: "metrics",
      method: "GET",
      path: "/metrics",
      rawBody: true,
      open: true,
      description: {
        tag: "gateway",
        summary: "What the gateway counted, as Prometheus reads it.",
        media: "text/plain",
      },
      serve: async () => ({ status: 200, headers: { "content-type": contentType }, text: await scrape.text() }),
    };
    endpoint(own);
    // Before everybody else: to those the token is no credential.
    if (token) hooks.auth.tap({ name: "metrics", stage: Stage.enrich - 1 }, gate(own, token));
    onServing(() => {
      declarations.keep();
      state.runtime ??= new Runtime(gcBuckets);
      state.report = report;
      if (self === undefined || state.peers) return;
      state.peers = new Peers({ channel: workersChannel, self, deadline, report: () => state.report?.() ?? nothing });
    });
    onClose(() => {
      if (state.report === report) delete state.report;
    });
  },
});

/** From a generation that does not count. */
const nothing = Promise.resolve({ counted: [], runtime: [] });
