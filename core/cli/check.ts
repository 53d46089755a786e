import {
  ConfigError,
  type Environment,
  type GatewayConfig,
  type ModuleLoader,
  moduleLoader,
  processEnvironment,
  readConfig,
} from "../config/index.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";
import { dryGeneration } from "./dry-generation.ts";
import { configSecrets, veiled } from "./secrets.ts";

/** Where modules and variables come from; tests bring their own. */
export interface Surroundings {
  readonly loader?: ModuleLoader;
  readonly environment?: Environment;
}

/** `sluice check FILE`: reads the file, sets its plugins up, closes them again. Nothing listens and nobody is called. */
export async function check(file: string, surroundings: Surroundings = {}): Promise<CommandResult> {
  const { loader = moduleLoader(), environment = processEnvironment() } = surroundings;
  let config: GatewayConfig;
  try {
    config = await readConfig(file, loader, environment);
  } catch (error) {
    if (error instanceof ConfigError) return failed(error.message);
    throw error;
  }
  const warnings = config.warnings.map((warning) => `${file}: ${warning}`).join("\n");
  try {
    const generation = await dryGeneration(config, loader);
    await generation.close();
  } catch (error) {
    const reason = veiled(error instanceof Error ? error.message : String(error), configSecrets(config));
    return failed([warnings, `${file}: ${reason}`].filter((text) => text !== "").join("\n"));
  }
  const { plugins, providers } = config;
  return succeeded(
    `${file}: ok (${counted(plugins.length, "plugin")}, ${counted(providers.length, "provider")})`,
    warnings,
  );
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
