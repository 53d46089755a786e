import { type CommandResult, failed, succeeded } from "./command-result.ts";
import { dryGeneration } from "./dry-generation.ts";
import { whyNot } from "./why-not.ts";
import { type Surroundings, withConfig } from "./with-config.ts";

/** `sluice check FILE`: reads the file, sets its plugins up, closes them again. Nothing listens and nobody is called. */
export const check = (file: string, surroundings: Surroundings = {}): Promise<CommandResult> =>
  withConfig(file, surroundings, async (config, loader) => {
    const warnings = config.warnings.map((warning) => `${file}: ${warning}`).join("\n");
    try {
      const generation = await dryGeneration(config, loader);
      await generation.close();
    } catch (error) {
      return failed([warnings, whyNot(error, config)].filter((text) => text !== "").join("\n"));
    }
    const { plugins, providers } = config;
    return succeeded(
      `${file}: ok (${counted(plugins.length, "plugin")}, ${counted(providers.length, "provider")})`,
      warnings,
    );
  });

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
