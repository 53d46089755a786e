import { type RecordArchive, Records } from "../../services/records.ts";
import { type CommandResult, failed } from "../command-result.ts";
import type { Surroundings } from "../with-config.ts";
import { withGeneration } from "../with-generation.ts";

/** Does something with the records of a config file. */
export const withRecords = (
  file: string,
  surroundings: Surroundings,
  run: (archive: RecordArchive) => Promise<CommandResult>,
): Promise<CommandResult> =>
  withGeneration(file, surroundings, async ({ kernel }) => {
    const archive = kernel.offered(Records)?.archive;
    if (archive) return run(archive);
    return failed(`${file}: no plugin in it keeps records that can be read here; add one that provides "records"`);
  });

export const counted = (counts: Readonly<Record<string, number>>): string => {
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const each = Object.entries(counts).map(([name, one]) => `${name} ${one}`);
  return `${total} record${total === 1 ? "" : "s"}${each.length > 0 ? ` (${each.join(", ")})` : ""}`;
};
