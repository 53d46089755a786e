import { ConfigError, type GatewayConfig, moduleLoader, processEnvironment, readConfig } from "../config/index.ts";
import type { Generation } from "../generation.ts";
import type { Surroundings } from "./check.ts";
import { type CommandResult, failed } from "./command-result.ts";
import { dryGeneration } from "./dry-generation.ts";
import { configSecrets, veiled } from "./secrets.ts";

/** Does something with what a config file sets up, as a gateway with this file has it. Its errors are the answer. */
export async function withGeneration(
  file: string,
  { loader = moduleLoader(), environment = processEnvironment() }: Surroundings,
  run: (generation: Generation) => Promise<CommandResult>,
): Promise<CommandResult> {
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
      return await run(generation);
    } finally {
      await generation.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(`${file}: ${veiled(reason, configSecrets(config))}`);
  }
}
