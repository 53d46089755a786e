import { randomUUID } from "node:crypto";
import {
  type Exchange,
  type Format,
  isId,
  isRecord,
  type LogEntry,
  type LogObject,
  type LogRow,
  sanitisedUrl,
  type Usage,
  version,
  type WorkspaceRef,
  z,
} from "../../../core/index.ts";
import { centsOf, unitsOf } from "../record/amounts.ts";
import { withoutVectors } from "../record/bodies.ts";
import type { CaptureMode } from "../record/capture.ts";
import { type HeaderRedaction, namesIn } from "../record/headers.ts";
import { rowMetadata } from "../record/metadata.ts";
import { newSpanId } from "../record/trace.ts";
import { type CustomPrices, customCost, type WentTo, wentTo } from "./custom-cost.ts";

const headers = z.record(z.string(), z.string());
const json = z.record(z.string(), z.unknown());
const time = z.number().min(0);

/** One entry of `POST /logs` (control-plane.md section 14.2). */
const customLog = z.object({
  request: z.object({
    url: z.string().min(1).max(8192),
    provider: z.string().max(255).optional(),
    method: z
      .string()
      .regex(/^[A-Za-z]{3,7}$/, "must be an HTTP method")
      .default("POST")
      .transform((method) => method.toUpperCase()),
    headers: headers.optional(),
    body: json,
  }),
  response: z.object({
    status: z.int().min(100).max(599).default(200),
    headers: headers.optional(),
    body: json,
    response_time: time.optional().describe("Milliseconds."),
    time: time.optional().describe("The same."),
    streamingMode: z.boolean().default(false),
  }),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
});

export type CustomLog = z.output<typeof customLog>;

export const mostCustomLogs = 1000;

/** One entry, or a list of them: mistakes name the index either way. */
export const customLogs = z.union([customLog.transform((one) => [one]), z.array(customLog).min(1).max(mostCustomLogs)]);

export interface CustomLogParts {
  readonly exchange: Exchange;
  readonly organisation: string;
  /** What it is called, where that is known. */
  readonly organisationName: string | undefined;
  readonly workspace: WorkspaceRef;
  readonly mode: CaptureMode;
  readonly redaction: HeaderRedaction;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
  readonly pricing: CustomPrices;
  readonly now: number;
}

/** A request that went elsewhere, as if it had been recorded here. */
export async function customEntry(log: CustomLog, parts: CustomLogParts): Promise<LogEntry> {
  const usage = usageIn(log.response.body, parts.formats);
  const models = [textIn(log.request.body, "model"), textIn(log.response.body, "model")];
  const went = await wentTo(log.request.provider, models, parts.exchange, parts.pricing.providers);
  const row = rowOf(log, parts, went, usage);
  const cost = await customCost(parts.exchange, went, usage, parts.pricing);
  return {
    workspace: parts.workspace.id,
    row: cost ? { ...row, cost: centsOf(cost), cost_source: cost.source } : row,
    object: objectOf(log, parts),
  };
}

/** What nobody knows of a request that went elsewhere. */
const unknown = {
  ai_org_auth_hash: null,
  cost: null,
  cost_currency: "USD",
  is_proxy_call: false,
  cache_status: null,
  cache_type: null,
  cache_savings: 0,
  retry_success_count: 0,
  mode: "single",
  last_used_option_index: 0,
  config: null,
  config_id: null,
  config_version_id: null,
  prompt_id: null,
  prompt_version_id: null,
  prompt_slug: null,
  runtime: null,
  runtime_version: null,
  sdk_version: null,
  gateway_version: version,
  log_store_file_path_format: "v1",
  request_parsing_time: null,
  pre_processing_time: null,
  cache_processing_time: null,
  upstream_response_time: null,
  ttlt: null,
  ttft: null,
  response_parsing_time: null,
  gateway_processing_time: null,
  cost_source: null,
} as const;

function rowOf(
  { request, response, metadata }: CustomLog,
  { exchange, organisation, organisationName, workspace, now }: CustomLogParts,
  went: WentTo,
  usage: Usage | undefined,
): LogRow {
  const { principal } = exchange;
  const { trace, rest } = traceIn(metadata);
  const { special, ...pairs } = rowMetadata(rest);
  const id = randomUUID();
  return {
    ...unknown,
    id,
    organisation_id: organisation,
    organisation_name: organisationName ?? null,
    workspace_slug: workspace.slug,
    user_id: principal?.user ?? null,
    api_key_id: principal && isId(principal.id) ? principal.id : null,
    api_key_name: principal?.name ?? null,
    created_at: new Date(now).toISOString(),
    is_success: isSuccess(response),
    ai_org: went.vendor,
    ai_model: textIn(response.body, "model") ?? textIn(request.body, "model"),
    ...unitsOf([{ usage }]),
    usage_source: usage ? "provider" : null,
    request_url: sanitisedUrl(request.url),
    request_method: request.method,
    response_status_code: response.status,
    response_time: responseTimeOf(response),
    stream_mode: response.streamingMode ? 1 : 0,
    provider_slug: went.virtualKey,
    virtual_key: went.virtualKey,
    trace_id: trace.trace_id ?? id,
    span_id: trace.span_id ?? newSpanId(),
    parent_span_id: trace.parent_span_id ?? null,
    span_name: trace.span_name ?? null,
    internal_trace_id: id,
    source: "custom_log",
    _user: special._user ?? textIn(request.body, "user"),
    _environment: special._environment ?? null,
    _organisation: special._organisation ?? null,
    _prompt: special._prompt ?? null,
    ...pairs,
    endpoint_type: "customLog",
  };
}

const responseTimeOf = ({ response_time, time = 0 }: CustomLog["response"]): number =>
  Math.round(response_time ?? time);

interface Content {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

function objectOf({ request, response }: CustomLog, { redaction, mode, exchange }: CustomLogParts): LogObject {
  const hidden = { digested: namesIn(exchange.gatewayHeaders.get("sensitive-headers")), secrets: [] };
  const contentOf = ({ headers, body }: Content) => ({
    ...(headers && { headers: redaction.headers(lowerCase(headers), hidden) }),
    body: { bytes: bytesOf(body) },
  });
  const full = mode === "full";
  return {
    request: {
      url: sanitisedUrl(request.url),
      method: request.method,
      ...(full && contentOf(request)),
      gatewayHeaders: {},
    },
    response: {
      status: response.status,
      ...((full || !isSuccess(response)) && contentOf(response)),
      responseTime: responseTimeOf(response),
      lastUsedOptionJsonPath: "config",
    },
    log_format: "v1",
  };
}

/** Answers of whoever makes embeddings are kept without them, as those of requests that went through here are. */
const bytesOf = (body: Content["body"]): Buffer => {
  const bytes = Buffer.from(JSON.stringify(body));
  return holdsVectors(body) ? withoutVectors(bytes) : bytes;
};

/** Lists of embeddings as OpenAI, Cohere, Gemini and Titan name them. */
const holdsVectors = ({ data, embedding, embeddings }: Content["body"]): boolean =>
  Array.isArray(data)
    ? data.some((one) => isRecord(one) && "embedding" in one)
    : isVectors(embedding) || isVectors(embeddings);

const isVectors = (value: unknown): boolean => typeof value === "object" && value !== null;

const isSuccess = ({ status }: CustomLog["response"]): boolean => status >= 200 && status <= 299;

const lowerCase = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));

const textIn = (body: Readonly<Record<string, unknown>>, field: string): string | null => {
  const value = body[field];
  return typeof value === "string" && value !== "" ? value : null;
};

/** Names of the trace in either spelling, and what two fields are called in rows. */
const traceNames: Readonly<Record<string, "trace_id" | "span_id" | "span_name" | "parent_span_id">> = {
  trace_id: "trace_id",
  traceId: "trace_id",
  span_id: "span_id",
  spanId: "span_id",
  span_name: "span_name",
  spanName: "span_name",
  parent_span_id: "parent_span_id",
  parentSpanId: "parent_span_id",
};
const specialNames: Readonly<Record<string, string>> = { organization: "_organisation", user: "_user" };

const longestName = 512;

function traceIn(metadata: Readonly<Record<string, string>>) {
  const trace: { [Name in (typeof traceNames)[string]]?: string } = {};
  const rest: [string, string][] = [];
  for (const [name, value] of Object.entries(metadata)) {
    const part = Object.hasOwn(traceNames, name) ? traceNames[name] : undefined;
    if (part) trace[part] ??= value.slice(0, longestName);
    else rest.push([(Object.hasOwn(specialNames, name) && specialNames[name]) || name, value]);
  }
  return { trace, rest };
}

/** The formats whose answers tell what they used, in the order they are tried. */
const known = [
  "openai-chat",
  "anthropic-messages",
  "gemini",
  "openai-responses",
  "cohere-chat",
  "bedrock-converse",
  "openai-embeddings",
];

/** What an answer says it used, in whichever format that loaded formats know. */
function usageIn(body: Readonly<Record<string, unknown>>, formats: CustomLogParts["formats"]): Usage | undefined {
  for (const name of known) {
    const usage = readBy(formats.get(name), body);
    if (usage && (usage.inputTokens !== undefined || usage.outputTokens !== undefined)) return usage;
  }
  return undefined;
}

function readBy(format: Format | undefined, body: unknown): Usage | undefined {
  try {
    return format?.readUsage(body);
  } catch {
    return undefined;
  }
}
