import { definePlugin, Logs, Management, Organisations, Stage, version } from "../../core/index.ts";
import { manageLogs } from "./api/operations.ts";
import { healthEndpoint } from "./health.ts";
import { requestLogOptions } from "./options.ts";
import { captureRule } from "./record/capture.ts";
import { headerRedaction } from "./record/headers.ts";
import { isRecorded, recordMaker } from "./record/records.ts";
import { Owners } from "./shipping/owners.ts";
import { Shipper } from "./shipping/shipper.ts";

export default definePlugin({
  name: "request-log",
  summary: "Records every request: what became of it, and with which content.",
  options: requestLogOptions,
  needs: [Logs],
  uses: [Management, Organisations],
  setup({ hooks, service, offered, formats, log, endpoint, onClose }, options) {
    const logs = service(Logs);
    const owners = new Owners(offered(Organisations));
    const shipper = new Shipper({ logs, owners, log, options });
    onClose(() => shipper.close(options.closeTimeout));
    const captureOf = captureRule(options, (...names) => owners.slugOf(...names));
    const redaction = headerRedaction(options.sensitiveHeaders);
    const recordsOf = recordMaker({
      version,
      captured: options.headersToMetadata,
      redaction,
      bodyBytes: options.bodyBytes,
      formats,
    });
    const isKept = (exchange: Parameters<typeof isRecorded>[0]) =>
      isRecorded(exchange) && (owners.haveHome || exchange.principal?.organisation !== undefined);
    // Streams are put together for whoever looks at the answer: only where their content is kept.
    hooks.afterRequest.tap(
      {
        name: "request-log",
        stage: Stage.record,
        when: (exchange) => exchange.request?.stream === true && isKept(exchange) && captureOf(exchange) === "full",
        bytesWillDo: true,
      },
      (answer) => answer,
    );
    hooks.cost.tap({ name: "request-log", stage: Stage.record }, (exchange) => {
      try {
        if (isKept(exchange)) for (const draft of recordsOf(exchange, captureOf(exchange))) shipper.add(draft);
      } catch (error) {
        // Whoever comes after this has nothing to do with it.
        log.error("a request was not recorded", { request: exchange.id, error });
      }
    });
    endpoint(healthEndpoint(() => shipper.state));
    const management = offered(Management);
    if (management) manageLogs(management, { logs, redaction, formats });
  },
});
