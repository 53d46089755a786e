import type { GatewayConfig, ModuleLoader } from "../config/index.ts";
import { createGeneration, type Generation } from "../generation.ts";
import { silentLogger } from "../log.ts";
import type { Logger } from "../model/logger.ts";
import { version } from "../version.ts";

/** The whole of what a config file brings about, set up but not listening. Whoever asks closes it. */
export const dryGeneration = (
  config: GatewayConfig,
  loader: ModuleLoader,
  log: Logger = silentLogger,
): Promise<Generation> =>
  createGeneration({
    config,
    log,
    version,
    ready: () => false,
    builtIn: new Set(loader.knownProviders()),
    loadProvider: (name) => loader.provider(name, config.folder),
  });
