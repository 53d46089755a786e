import { type Attempt, type Exchange, requestOf } from "../../../core/index.ts";
import type { MetricsOptions } from "../options.ts";
import { endpointName } from "./endpoint-name.ts";

/** What a label of an exchange is read from. */
export interface Subject {
  readonly exchange: Exchange;
  /** The attempt that answered, or the one that is measured; absent where there was none. */
  readonly attempt: Attempt | undefined;
  readonly code: string;
}

type Reader = (subject: Subject) => string;

/** Values that nobody knows. */
const unknown = "N/A";

/** Characters of a value that are kept: some are what clients write. */
const longest = 128;

/** The labels of every metric about exchanges, in this order (observability.md section 16.2). */
const always: Readonly<Record<string, Reader>> = {
  method: ({ exchange }) => exchange.method,
  endpoint: ({ exchange }) => endpointName(exchange.endpoint),
  code: ({ code }) => code,
  provider: providerIn,
  source: ({ exchange }) => (isPassedOn(exchange) ? "proxy" : "gateway"),
  stream: ({ exchange }) => (requestOf(exchange)?.stream === true ? "true" : "false"),
  cacheStatus: ({ exchange, attempt }) => cacheLabel(cacheStatusOf(exchange, attempt)),
};

/** Labels by name, with how each is read. */
export function labelReaders(options: MetricsOptions): Readonly<Record<string, Reader>> {
  const { modelLabel, configNameLabel, apiKeyNameLabel, extraLabels, metadataLabels, metadataKeys } = options;
  const readers: Record<string, Reader> = { ...always };
  if (modelLabel) readers.model = modelIn;
  if (configNameLabel) readers.config_name = configIn;
  if (apiKeyNameLabel) readers.api_key_name = keyIn;
  if (extraLabels.includes("apiKeyName")) readers.apiKeyName = keyIn;
  if (extraLabels.includes("configName")) readers.configName = configIn;
  if (metadataLabels)
    for (const key of metadataKeys)
      readers[`metadata_${key.replace(/[^A-Za-z0-9_]/g, "_")}`] ??= ({ exchange }) => cut(exchange.metadata[key]);
  return readers;
}

/** The values of labels, in their order. */
export const valuesOf = (readers: readonly Reader[], subject: Subject): string[] => {
  const values: string[] = [];
  for (const read of readers) values.push(read(subject));
  return values;
};

/**
 * Whether a call went on without anybody knowing what it asks for. What nobody serves is open; who serves some calls of a
 * place only has left to a target what was tried there.
 */
const isPassedOn = ({ endpoint, attempts }: Exchange): boolean => {
  const { operation, prepare, procedure, serve, open, socket } = endpoint;
  return !(operation || prepare || procedure || open || socket || (serve && attempts.length === 0));
};

export function providerIn({ attempt }: Subject): string {
  return cut(attempt?.target.provider.name);
}

export function modelIn({ exchange, attempt }: Subject): string {
  return cut(attempt?.target.model ?? (attempt?.target.request ?? exchange.request)?.model ?? attempt?.model);
}

function configIn({ exchange: { config, routing } }: Subject): string {
  const named = routing?.config;
  return cut(config?.slug ?? (named?.startsWith("inline:") ? undefined : named));
}

function keyIn({ exchange }: Subject): string {
  return cut(exchange.principal?.name);
}

const cut = (value: string | undefined): string =>
  value === undefined || value === "" ? unknown : value.length > longest ? value.slice(0, longest) : value;

/** What the cache did for a call; for the one that answered it did what it did for the request. */
const cacheStatusOf = (exchange: Exchange, attempt: Attempt | undefined): string | undefined =>
  attempt && exchange.attempt && attempt !== exchange.attempt ? attempt.told?.["cache-status"] : exchange.cacheStatus;

/** A refresh was not answered from the cache; where it was not asked, it is as if it were off. */
function cacheLabel(status: string | undefined): string {
  switch (status) {
    case undefined:
    case "DISABLED":
      return "disabled";
    case "HIT":
    case "SEMANTIC HIT":
      return "hit";
    case "MISS":
    case "SEMANTIC MISS":
    case "REFRESH":
      return "miss";
    default:
      return "error";
  }
}
