import type { Generation } from "../generation.ts";
import { type CommandResult, failed } from "./command-result.ts";
import { dryGeneration } from "./dry-generation.ts";
import { whyNot } from "./why-not.ts";
import { type Surroundings, withConfig } from "./with-config.ts";

/** Does something with what a config file sets up, as a gateway with this file has it. Its errors are the answer. */
export const withGeneration = (
  file: string,
  surroundings: Surroundings,
  run: (generation: Generation) => Promise<CommandResult>,
): Promise<CommandResult> =>
  withConfig(file, surroundings, async (config, loader) => {
    try {
      const generation = await dryGeneration(config, loader);
      try {
        return await run(generation);
      } finally {
        await generation.close();
      }
    } catch (error) {
      return failed(whyNot(error, config));
    }
  });
