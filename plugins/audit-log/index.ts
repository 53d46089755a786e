import {
  AuditTrail,
  definePlugin,
  Management,
  Records,
  Sealing,
  Succession,
  serviceToken,
  z,
} from "../../core/index.ts";
import { Chains, type Tried } from "./chains.ts";
import { noteOfCall, noteOfEvent } from "./entry.ts";
import { serveAuditLogs } from "./read.ts";
import { SealedBodies } from "./sealed-bodies.ts";
import { verifyChains } from "./verify.ts";
import { Waiting } from "./waiting.ts";

const day = 24 * 60 * 60 * 1000;

/** What generations hand on: who keeps entries from now on, and what may be kept already. */
interface HandedOn {
  readonly tried: Tried;
  readonly succession: Succession<Waiting>;
}

const Keeping = serviceToken<HandedOn>("entries of the audit trail");

/** Milliseconds that the end of this process waits for the store. */
const patience = 5000;

export default definePlugin({
  name: "audit-log",
  summary: "Keeps who changed what, in a chain that shows what was altered afterwards.",
  options: z.strictObject({
    retentionDays: z
      .int()
      .min(0)
      .default(0)
      .describe("Days entries are kept: ${AUDIT_RETENTION_DAYS:-0}. 0 is for ever."),
    waiting: z
      .int()
      .min(1)
      .default(10_000)
      .describe("Entries that wait while the store does not answer; more are lost, and counted."),
    countryHeader: z
      .string()
      .min(1)
      .toLowerCase()
      .exactOptional()
      .describe(
        "The header in which a proxy in front says the country of a caller, where all callers come through it.",
      ),
  }),
  needs: [Management, Records],
  uses: [Sealing],
  provides: [AuditTrail],
  setup({ service, offered, provide, log, kept, onServing, onClose }, { retentionDays, waiting: most, countryHeader }) {
    const management = service(Management);
    const now = Date.now;
    const retention = retentionDays === 0 ? undefined : retentionDays * day;
    const { tried, succession } = kept(
      Keeping,
      (): HandedOn => ({ tried: new WeakMap(), succession: new Succession() }),
    );
    const chains = new Chains({ records: service(Records), retention, now, tried });
    const bodies = new SealedBodies(offered(Sealing), log);
    const waiting = new Waiting({
      chains,
      sealed: (organisation, entry) => bodies.sealed(organisation, entry),
      workspace: (organisation, ref) => management.reference("workspaces", organisation, undefined, ref),
      most,
      log,
      now,
    });
    onServing(() => succession.serve(waiting));
    onClose(() => {
      succession.leave(waiting);
      return waiting.close(patience, succession.serving);
    });
    management.audit((call) => waiting.add(noteOfCall(call, countryHeader)));
    serveAuditLogs(management, chains.entries, bodies);
    provide(AuditTrail, {
      event: (event) => waiting.add(noteOfEvent(event, now())),
      verify: (known) => verifyChains(chains, now, known),
    });
  },
});
