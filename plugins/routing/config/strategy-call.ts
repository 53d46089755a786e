import type { Failed } from "../../../core/index.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { calling, failedIn } from "./whose-failure.ts";

/** Where a strategy stands: in which node, and of which config, where that has a name. */
export interface StrategyPlace {
  readonly mode: string;
  /** Of the node: `config.targets[1]`. */
  readonly place: string;
  readonly config?: string | undefined;
}

/** What a strategy does: when a config is read, and when a request walks it. */
type Deed = "schema" | "check" | "compile" | "prepare" | "preparing" | "walking";

/** Says of what a strategy throws which plugin brings it, and where it stands. */
export function strategyFailed(
  what: Deed,
  { mode, place, config }: StrategyPlace,
  { bringers }: Pick<Vocabulary, "bringers">,
): Failed {
  const where = `${place}.strategy${config === undefined ? "" : ` of the config "${config}"`}`;
  return failedIn(bringers.get(mode) ?? "routing", `the strategy "${mode}" at ${where}: ${what}`);
}

/**
 * Calls a function of a strategy, once for each config. What it refuses with a `GatewayError` is the config's mistake; what
 * else it throws is its plugin's, and says where that was.
 */
export const strategyCall = <Result>(
  what: Deed,
  position: StrategyPlace,
  vocabulary: Pick<Vocabulary, "bringers">,
  call: () => Result,
): Result => calling(strategyFailed(what, position, vocabulary), call);
