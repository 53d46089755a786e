import {
  type AuditedCall,
  type BudgetCounter,
  Budgets,
  definePlugin,
  type Endpoint,
  type Exchange,
  Management,
  type ManagementCall,
  type ManagementOperation,
  type ManagementService,
  Stage,
  type WorkspaceFinder,
  z,
} from "../../core/index.ts";
import { endpointsOf } from "./endpoints.ts";
import { references } from "./references.ts";
import { reservedEndpoints } from "./reserved.ts";
import { auditOf } from "./serve.ts";
import { throttle } from "./throttle.ts";

export default definePlugin({
  name: "management",
  summary: "The management API: what other plugins add their records to.",
  options: z.strictObject({
    requestsPerMinute: z
      .int()
      .min(0)
      .default(600)
      .describe("Management calls one credential may make in a minute; 0 is no limit."),
  }),
  provides: [Management, Budgets],
  setup({ provide, endpoint, hooks, log }, { requestsPerMinute }) {
    let finder: WorkspaceFinder = () => undefined;
    const guards: ((call: ManagementCall, scopes: readonly string[]) => void | Promise<void>)[] = [];
    const listeners: ((entry: AuditedCall) => void | Promise<void>)[] = [];
    const audits = new WeakMap<Endpoint, NonNullable<ManagementOperation["audit"]>>();
    const workspace: WorkspaceFinder = (organisation, ref) => finder(organisation, ref);
    const known = references(workspace);
    const desk = {
      reference: known.reference,
      admit: throttle(requestsPerMinute, Date.now),
      workspace,
      async guard(call: ManagementCall, scopes: readonly string[]) {
        for (const guard of guards) await guard(call, scopes);
      },
      stayed({ id, method, url }: Exchange, error: unknown) {
        const asked = url.replace(/\?.*$/s, "");
        log.error("a write that was refused could not be taken back: it stays", {
          request: id,
          method,
          url: asked,
          error,
        });
      },
    };
    for (const one of reservedEndpoints) endpoint(one);
    const seenBy = (plugin: string): ManagementService => ({
      ...known,
      operation(operation) {
        for (const one of endpointsOf(operation, desk, plugin)) {
          endpoint(one);
          if (operation.audit) audits.set(one, operation.audit);
        }
      },
      workspaces(given) {
        finder = given;
      },
      guard(guard) {
        guards.push(guard);
      },
      audit(listener) {
        listeners.push(listener);
      },
    });
    provide(Management, seenBy("management"), seenBy);
    let counter: BudgetCounter | undefined;
    provide(Budgets, {
      usageOf: async (organisation, things) => counter?.usageOf(organisation, things),
      edited: async (organisation, things) => counter?.edited(organisation, things),
      countedBy(given) {
        counter = given;
      },
    });
    const isAudited = ({ endpoint }: Exchange) => audits.has(endpoint);
    hooks.cost.tapPromise({ name: "management", stage: Stage.record, when: isAudited }, async (exchange) => {
      const audit = audits.get(exchange.endpoint);
      const entry = audit && auditOf(exchange, audit);
      if (!entry) return;
      for (const listener of listeners) {
        try {
          await listener(entry);
        } catch (error) {
          log.error("a management call was not audited", { request: exchange.id, error });
        }
      }
    });
  },
});
