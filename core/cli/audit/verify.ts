import { type AuditChain, AuditTrail } from "../../services/audit.ts";
import { type CommandResult, failed, succeeded } from "../command-result.ts";
import type { Surroundings } from "../with-config.ts";
import { withGeneration } from "../with-generation.ts";

export interface VerifyOptions {
  /** Digests that this command printed before. */
  readonly known?: readonly string[];
}

/**
 * `sluice audit verify FILE`: walks the chains of the audit trail, and names the first entry of each that is not as it was
 * written. Digests that were noted before have to be there still: that shows an end that is gone without a trace.
 */
export const verify = (
  file: string,
  { known = [] }: VerifyOptions,
  surroundings: Surroundings = {},
): Promise<CommandResult> =>
  withGeneration(file, surroundings, async ({ kernel }) => {
    const trail = kernel.offered(AuditTrail);
    if (!trail?.verify) return failed(`${file}: no plugin in it keeps a chained audit trail; add "audit-log"`);
    const chains = await trail.verify(new Set(known));
    const told = chains.length === 0 ? "there are no entries" : chains.map(lineOf).join("\n");
    const complaints = [
      ...chains.flatMap(({ organisation, wrong }) => (wrong ? [`${organisation}: ${wrong.message}`] : [])),
      ...known
        .filter((digest) => !chains.some((chain) => chain.known.includes(digest)))
        .map(
          (digest) =>
            `no chain has the digest ${digest} any more: entries up to it were removed or rewritten, or have expired`,
        ),
    ];
    return complaints.length === 0 ? succeeded(told) : failed(complaints.join("\n"), told);
  });

const lineOf = ({ organisation, entries, expired, digest, wrong }: AuditChain): string =>
  [
    `${organisation}: ${entries} ${entries === 1 ? "entry" : "entries"}`,
    ...(expired > 0 ? [`${expired} expired`] : []),
    wrong ? `broken at ${wrong.sequence}` : `unbroken up to ${digest}`,
  ].join(", ");
