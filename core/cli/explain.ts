import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, METHODS } from "node:http";
import { ConfigError, type GatewayConfig, moduleLoader, processEnvironment, readConfig } from "../config/index.ts";
import type { Generation } from "../generation.ts";
import { isJson } from "../pipeline/request/content-type.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";
import { dryGeneration } from "./dry-generation.ts";
import { explainRequest, type ImaginedRequest } from "./explain/explain-request.ts";
import { jsonMistake } from "./explain/json-mistake.ts";
import { show } from "./explain/show.ts";
import { configSecrets } from "./secrets.ts";
import { whyNot } from "./why-not.ts";
import type { Surroundings } from "./with-config.ts";

export interface ExplainOptions {
  /** A file with the body, or `-` for standard input. */
  readonly request?: string;
  /** `name: value` */
  readonly header?: readonly string[];
  readonly path?: string;
  readonly method?: string;
  readonly json?: boolean;
}

/** `sluice explain FILE --request R.json`: what would happen to a request, without calling anyone. */
export async function explain(
  file: string,
  options: ExplainOptions,
  { loader = moduleLoader(), environment = processEnvironment() }: Surroundings = {},
): Promise<CommandResult> {
  let config: GatewayConfig;
  let request: ImaginedRequest;
  try {
    config = await readConfig(file, loader, environment);
    request = await imagined(options, config);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof OptionError) return failed(error.message);
    throw error;
  }
  const secrets = configSecrets(config);
  let generation: Generation;
  try {
    generation = await dryGeneration(config, loader);
  } catch (error) {
    return failed(whyNot(error, config));
  }
  try {
    const configuredHeaders = headersOf(config);
    const explanation = await explainRequest({ generation, request, secrets, configuredHeaders });
    return succeeded(options.json ? JSON.stringify(explanation, null, 2) : show(explanation));
  } finally {
    await generation.close();
  }
}

/** The command was given something that cannot be used. */
class OptionError extends Error {}

async function imagined(options: ExplainOptions, { server }: GatewayConfig): Promise<ImaginedRequest> {
  const { path = "/v1/chat/completions", method = "POST" } = options;
  if (!path.startsWith("/")) throw new OptionError(`--path begins with "/", as in /v1/chat/completions, not "${path}"`);
  if (!METHODS.includes(method.toUpperCase())) throw new OptionError(`--method: there is no method "${method}"`);
  const body = bodyOf(options.request);
  const headers: IncomingHttpHeaders = {
    host: `${server.host}:${server.port}`,
    ...(body.length > 0 && { "content-type": "application/json" }),
    ...headersFrom(options.header ?? []),
    "content-length": String(body.length),
  };
  if (body.length > 0 && isJson(headers["content-type"])) {
    const mistake = await jsonMistake(body.toString());
    // The gateway would ask for a credential first: that is not what is wrong with the file.
    if (mistake !== undefined)
      throw new OptionError(
        `--request: ${options.request}:${mistake}. The file is no JSON; --header "content-type: …" says what else it is`,
      );
  }
  return { method: method.toUpperCase(), url: path, headers, body };
}

function bodyOf(source: string | undefined): Buffer {
  if (source === undefined) return Buffer.alloc(0);
  try {
    return readFileSync(source === "-" ? 0 : source);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
    throw new OptionError(`--request: ${source} cannot be read (${code})`);
  }
}

/** A header given twice is one with both values, as it would be on arrival. */
function headersFrom(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:(.*)$/s.exec(line) ?? [];
    // The line itself may be a credential: it is not repeated.
    if (name === undefined || value === undefined) throw new OptionError('--header is written "name: value"');
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value.trim() : `${headers[key]}, ${value.trim()}`;
  }
  return headers;
}

/** Names of the headers the file sets for a provider. */
function headersOf({ providers }: GatewayConfig): (slug: string) => ReadonlySet<string> {
  const names = new Map(providers.map(({ slug, options }) => [slug, new Set(namesIn(options))]));
  return (slug) => names.get(slug) ?? new Set();
}

function namesIn(options: unknown): string[] {
  if (typeof options !== "object" || options === null || !("headers" in options)) return [];
  return Object.keys(options.headers ?? {}).map((name) => name.toLowerCase());
}
