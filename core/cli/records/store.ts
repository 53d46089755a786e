import { ConfigError, type GatewayConfig, moduleLoader, processEnvironment, readConfig } from "../../config/index.ts";
import { type RecordArchive, Records } from "../../services/records.ts";
import type { Surroundings } from "../check.ts";
import { type CommandResult, failed } from "../command-result.ts";
import { dryGeneration } from "../dry-generation.ts";
import { configSecrets, veiled } from "../secrets.ts";

/** Does something with the records of a config file, as a gateway with this file has them. Its errors are the answer. */
export async function withRecords(
  file: string,
  surroundings: Surroundings,
  run: (archive: RecordArchive) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { loader = moduleLoader(), environment = processEnvironment() } = surroundings;
  let config: GatewayConfig;
  try {
    config = await readConfig(file, loader, environment);
  } catch (error) {
    if (error instanceof ConfigError) return failed(error.message);
    throw error;
  }
  try {
    const generation = await dryGeneration(config, loader);
    try {
      const archive = generation.kernel.offered(Records)?.archive;
      if (archive) return await run(archive);
      return failed(`${file}: no plugin in it keeps records that can be read here; add one that provides "records"`);
    } finally {
      await generation.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(`${file}: ${veiled(reason, configSecrets(config))}`);
  }
}

export const counted = (counts: Readonly<Record<string, number>>): string => {
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const each = Object.entries(counts).map(([name, one]) => `${name} ${one}`);
  return `${total} record${total === 1 ? "" : "s"}${each.length > 0 ? ` (${each.join(", ")})` : ""}`;
};
