import { createHash } from "node:crypto";
import { type Exchange, GatewayError, headerText } from "../../core/index.ts";
import { withAllHidden } from "./config/hide-secrets.ts";
import { isTooDeep, sizeProblem } from "./config/limits.ts";
import { lineOf, type Problem, toldLineOf } from "./config/problems.ts";
import { readConfig } from "./config/read-config.ts";
import { inSnakeCase, isMap } from "./config/spelling.ts";
import { type CompileInput, type ReadyConfig, readyConfig } from "./saved-config.ts";

/** Reads a config a caller wrote into a header (routing-config.md section 1.4). */
export function readInline(text: string, exchange: Exchange, input: CompileInput): ReadyConfig {
  const { vocabulary, providers, limits } = input;
  const json = parsed(text, exchange);
  if (isTooDeep(json)) throw invalidConfig("The routing config is nested too deeply to be one");
  const config = inSnakeCase(json, vocabulary.opaque);
  if (isMap(config) && "options" in config)
    throw invalidConfig("The routing config is in a retired format (options): write strategy and targets instead");
  const size = sizeProblem(config, limits);
  if (size) throw invalidConfig(`The routing config is too large: ${size.path.join(".")} ${size.message}`, [size]);
  const { root, problems } = readConfig(config, { vocabulary, providers, saved: false, trusted: false });
  if (!root) throw invalidConfig("The routing config is not valid", problems);
  // Others are told it, and could try out secrets on it: it says that there are some, and not which.
  const digest = createHash("sha256")
    .update(JSON.stringify(withAllHidden(config)))
    .digest("hex");
  return readyConfig(root, { id: `inline:${digest}`, trusted: false }, input);
}

function parsed(text: string, { gatewayHeaders }: Exchange): unknown {
  try {
    return JSON.parse(headerText(text)) as unknown;
  } catch {
    // What the parser has to say quotes the text, which may hold credentials.
    throw invalidConfig(`${gatewayHeaders.nameOf("config")} begins with "{" but is not valid JSON`);
  }
}

export const invalidConfig = (message: string, problems: readonly Problem[] = []) =>
  new GatewayError("config_invalid", message, {
    param: "config",
    ...(problems.length > 0 && { errors: problems.map(lineOf), told: problems.map(toldLineOf) }),
  });
