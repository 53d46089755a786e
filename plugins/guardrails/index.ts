import {
  Checks,
  definePlugin,
  type Exchange,
  GuardrailRecords,
  GuardrailTrial,
  isAnswer,
  Logs,
  Metrics,
  Organisations,
  Routing,
  Stage,
  settleTap,
  z,
} from "../../core/index.ts";
import { configFields } from "./config/fields.ts";
import { Guard } from "./guard.ts";
import { HookCompiler } from "./hook.ts";
import { keepFeedback } from "./keep-feedback.ts";
import { hasResults, lingers } from "./lingering.ts";
import { Planner } from "./plan.ts";
import { VerdictMetrics } from "./run/verdict-metrics.ts";
import { guardrailTrial } from "./trial.ts";

export default definePlugin({
  name: "guardrails",
  summary: "Runs guardrails on requests and answers: denies, redacts or notes what their checks find, in streams too.",
  options: z.strictObject({
    deadline: z.int().min(1).default(60_000).describe("Milliseconds a check may take, whatever it waits for."),
    streams: z
      .enum(["guard", "report"])
      .default("guard")
      .describe("Whether streamed answers are denied and redacted while they pass, or only reported on."),
  }),
  needs: [Routing, Checks],
  uses: [GuardrailRecords, Organisations, Logs, Metrics],
  provides: [GuardrailTrial],
  setup({ hooks, service, offered, provide, formats, log }, { deadline, streams }) {
    const checks = service(Checks);
    for (const field of configFields(checks)) service(Routing).field(field);
    const compiler = new HookCompiler(checks);
    provide(GuardrailTrial, guardrailTrial({ checks, compiler, deadline }));
    const planner = new Planner({
      compiler,
      records: offered(GuardrailRecords),
      organisations: offered(Organisations),
      log,
    });
    const counted = offered(Metrics);
    const metrics = counted && new VerdictMetrics(counted, checks);
    const guard = new Guard({ planner, checks, formats, deadline, streams, metrics, log });
    const logs = offered(Logs);
    hooks.beforeRequest.tapAsync({ name: "guardrails", stage: Stage.guard }, (seen, exchange, done) => {
      if (isAnswer(seen)) return done(null, seen);
      settleTap(guard.before(seen, exchange), done);
    });
    hooks.streamChunk.tap({ name: "guardrails", stage: Stage.guard, when: guard.wantsChunks }, (chunks, exchange) =>
      guard.chunks(chunks, exchange),
    );
    hooks.afterRequest.tapPromise(
      { name: "guardrails", stage: Stage.guard, when: guard.wants },
      async (answer, exchange) => guard.after(answer, exchange),
    );
    // Nobody counts later because a check that was not waited for takes its time.
    const keeps = (exchange: Exchange) => (logs ? hasResults(exchange) : lingers(exchange));
    hooks.cost.tapAsync({ name: "guardrails", stage: Stage.late, when: keeps }, (exchange, done) => {
      const keep = () => {
        if (logs) keepFeedback(logs, exchange, log);
        done();
      };
      if (lingers(exchange)) guard.ended(exchange).then(keep, done);
      else keep();
    });
  },
});
