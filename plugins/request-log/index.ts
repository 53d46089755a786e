import {
  definePlugin,
  type Exchange,
  Logs,
  Management,
  Metrics,
  Organisations,
  Prices,
  type Principal,
  requestOf,
  Stage,
  serviceToken,
  version,
} from "../../core/index.ts";
import { manageLogs } from "./api/operations.ts";
import { healthEndpoint } from "./health.ts";
import { requestLogOptions } from "./options.ts";
import { captureRule, undecided } from "./record/capture.ts";
import { headerRedaction } from "./record/headers.ts";
import { Recorder } from "./record/recorder.ts";
import { isRecorded, recordMaker } from "./record/records.ts";
import { Owners } from "./shipping/owners.ts";
import { type Common, inCommon, Shipper } from "./shipping/shipper.ts";

const Shippers = serviceToken<Common>("shippers of records");

/** Milliseconds to say what was lost, when it is too late for anything else. */
const parting = 1_000;

/** Where nobody has roles. */
const everything = { content: true, rows: true, own: false };

export default definePlugin({
  name: "request-log",
  summary: "Records every request: what became of it, and with which content.",
  options: requestLogOptions,
  needs: [Logs],
  uses: [Management, Metrics, Organisations, Prices],
  setup({ hooks, service, offered, formats, providers, log, endpoint, kept, onServing, onClose }, options) {
    const logs = service(Logs);
    const organisations = offered(Organisations);
    const owners = new Owners(organisations);
    const common = kept(Shippers, inCommon);
    const shipper = new Shipper({ logs, owners, log, options, metrics: offered(Metrics), common });
    onServing(() => shipper.serve());
    const captureOf = captureRule(options);
    const redaction = headerRedaction(options.sensitiveHeaders);
    const { bodyBytes, headersToMetadata: captured, closeTimeout } = options;
    const recorder = new Recorder({
      decided: (principal) => owners.decided(principal),
      captureOf,
      recordsOf: recordMaker({ version, captured, redaction, bodyBytes, formats }),
      add: (draft) => shipper.add(draft),
      log,
    });
    onClose(
      async () => {
        await recorder.close(closeTimeout);
        await shipper.close(closeTimeout);
      },
      2 * closeTimeout + parting,
    );
    const isKept = (exchange: Exchange) =>
      isRecorded(exchange) && (owners.haveHome || exchange.principal?.organisation !== undefined);
    /** As far as that is known already: what need not have been kept is left out later. */
    const mayBeFull = (exchange: Exchange) => {
      const decided = exchange.principal ? owners.atHand(exchange.principal) : undecided;
      return captureOf(exchange, decided ?? undecided) === "full";
    };
    // Streams are put together for whoever looks at the answer: only where their content is kept.
    hooks.afterRequest.tap(
      {
        name: "request-log",
        stage: Stage.record,
        when: (exchange) => requestOf(exchange)?.stream === true && isKept(exchange) && mayBeFull(exchange),
        bytesWillDo: true,
      },
      (answer) => answer,
    );
    hooks.cost.tap({ name: "request-log", stage: Stage.record }, (exchange) => {
      if (isKept(exchange)) recorder.take(exchange);
    });
    endpoint(
      healthEndpoint(
        () => shipper.state,
        () => recorder.waiting,
      ),
    );
    const sightOf = async (principal: Principal) => organisations?.logSight(principal) ?? everything;
    const captureFor = async (exchange: Exchange) =>
      captureOf(exchange, exchange.principal ? await owners.decided(exchange.principal) : undecided);
    const nameOf = owners.nameOf.bind(owners);
    const management = offered(Management);
    const pricing = { prices: offered(Prices), providers };
    if (management) manageLogs(management, { logs, redaction, formats, pricing, sightOf, captureFor, nameOf });
  },
});
