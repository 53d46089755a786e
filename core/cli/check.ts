import { inspect } from "node:util";
import { errorMessage } from "../errors/error-message.ts";
import { silentLogger } from "../log.ts";
import type { Logger } from "../model/logger.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";
import { dryGeneration } from "./dry-generation.ts";
import { configSecrets, veiled } from "./secrets.ts";
import { whyNot } from "./why-not.ts";
import { type Surroundings, withConfig } from "./with-config.ts";

/** `sluice check FILE`: reads the file, sets its plugins up, closes them again, and tells what a start would warn of. */
export const check = (file: string, surroundings: Surroundings = {}): Promise<CommandResult> =>
  withConfig(file, surroundings, async (config, loader) => {
    const warnings = [...config.warnings];
    const told = () => warnings.map((warning) => `${file}: ${veiled(warning, configSecrets(config))}`);
    try {
      const generation = await dryGeneration(config, loader, warningInto(warnings));
      await generation.close();
    } catch (error) {
      return failed([...told(), whyNot(error, config)].join("\n"));
    }
    const { plugins, providers } = config;
    return succeeded(
      `${file}: ok (${counted(plugins.length, "plugin")}, ${counted(providers.length, "provider")})`,
      told().join("\n"),
    );
  });

/** What the process log would warn of, a line each. */
function warningInto(warnings: string[]): Logger {
  const warn: Logger["warn"] = (message, fields = {}) => {
    const more = Object.entries(fields).map(([name, value]) => `${name}: ${shown(value)}`);
    warnings.push(more.length === 0 ? message : `${message} (${more.join(", ")})`);
  };
  return { ...silentLogger, warn, error: warn };
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return errorMessage(value);
  try {
    return JSON.stringify(value);
  } catch {
    // The process log takes what is no JSON (a bigint, a circle), and so does this.
    return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
