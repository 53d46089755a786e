import { errorMessage, GatewayError } from "../../../core/index.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Where a strategy stands: in which node, and of which config, where that has a name. */
export interface StrategyPlace {
  readonly mode: string;
  /** Of the node: `config.targets[1]`. */
  readonly place: string;
  readonly config?: string | undefined;
}

/**
 * Calls a function of a strategy, once for each config. What it refuses with a `GatewayError` is the config's mistake; what
 * else it throws is its plugin's, and says where that was.
 */
export function strategyCall<Result>(
  what: "schema" | "check" | "compile" | "prepare",
  { mode, place, config }: StrategyPlace,
  { bringers }: Pick<Vocabulary, "bringers">,
  call: () => Result,
): Result {
  try {
    return call();
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    const plugin = bringers.get(mode) ?? "routing";
    const where = `${place}.strategy${config === undefined ? "" : ` of the config "${config}"`}`;
    throw new GatewayError(
      "plugin_failed",
      `[plugin ${plugin}] the strategy "${mode}" at ${where}: ${what}: ${errorMessage(cause)}`,
      { plugin },
      { cause },
    );
  }
}
