import { ConfigError, type GatewayConfig } from "../config/index.ts";
import { errorMessage } from "../errors/error-message.ts";
import { configSecrets, veiled } from "./secrets.ts";

/** Why something could not be done with what a config file sets up, without the secrets in it. Mistakes bring their place. */
export function whyNot(error: unknown, config: GatewayConfig): string {
  const reason = veiled(errorMessage(error), configSecrets(config));
  return error instanceof ConfigError ? reason : `${config.file}: ${reason}`;
}
