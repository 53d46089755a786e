import {
  ConfigError,
  type Environment,
  type GatewayConfig,
  type ModuleLoader,
  moduleLoader,
  processEnvironment,
  readConfig,
} from "../config/index.ts";
import { type CommandResult, failed } from "./command-result.ts";

/** Where modules and variables come from; tests bring their own. */
export interface Surroundings {
  readonly loader?: ModuleLoader;
  readonly environment?: Environment;
}

/** Does something with a config file that can be read; else what is wrong with it is the answer. */
export async function withConfig(
  file: string,
  { loader = moduleLoader(), environment = processEnvironment() }: Surroundings,
  run: (config: GatewayConfig, loader: ModuleLoader) => Promise<CommandResult>,
): Promise<CommandResult> {
  let config: GatewayConfig;
  try {
    config = await readConfig(file, loader, environment);
  } catch (error) {
    if (error instanceof ConfigError) return failed(error.message);
    throw error;
  }
  return run(config, loader);
}
