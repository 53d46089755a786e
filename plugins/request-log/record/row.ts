import type { Endpoint, Exchange, GatewayRequest, LogRow, Usage } from "../../../core/index.ts";
import { headerText, isId, isOnlyBaggage, sanitisedUrl, totalCost, writtenInstant } from "../../../core/index.ts";
import { centsOf, credentialDigests, noUnits, unitsOf } from "./amounts.ts";
import { type AttemptGroup, retriesOf } from "./groups.ts";
import { rowMetadata } from "./metadata.ts";
import { newSpanId, type TracePlace } from "./trace.ts";

/** A record under way: an exchange, what came of it at one target, and whether that is what the client got. */
export interface Subject {
  readonly exchange: Exchange;
  /** Absent where the request was refused before it went anywhere. */
  readonly group: AttemptGroup | undefined;
  readonly final: boolean;
  readonly id: string;
  readonly status: number;
  /** An answer that was cut is none, whatever its status was. */
  readonly success: boolean;
  readonly place: TracePlace;
  /** What was called, as it may be kept. */
  readonly url: string;
}

/** A row that does not say yet whose it is. */
export type Row = Omit<LogRow, "organisation_id" | "organisation_name" | "workspace_slug"> & {
  organisation_id: string;
  organisation_name: string | null;
  workspace_slug: string | null;
};

/** What is the same for every row. */
export interface RowParts {
  readonly version: string;
  /** Headers that become metadata. */
  readonly captured: readonly string[];
}

/** Makes rows, field by field: a literal put together of others takes much longer. Whose they are is filled in later. */
export function rowMaker({ version, captured }: RowParts) {
  const digestOf = credentialDigests();
  return (subject: Subject): Row => {
    const { exchange, group, final, id, status, success, place, url } = subject;
    const { principal, headers, endpoint, routing, config } = exchange;
    const target = group?.last.target;
    const request = requestIn(subject);
    const prompt = request?.origin?.prompt;
    const isProxy = isProxyCall(endpoint);
    const provider = target?.provider;
    const metadata = rowMetadata(pairsOf(exchange, captured));
    const { special } = metadata;
    const attempts = group?.attempts ?? none;
    const asked = attempts.some(wasAsked);
    const told = final ? exchange.cacheStatus : group?.last.told?.["cache-status"];
    // As the client is told it: who is asked without a word of a cache is asked without one.
    const cache = told ?? (asked ? "DISABLED" : undefined);
    const isHit = cache?.endsWith("HIT") === true;
    const units = asked ? unitsOf(attempts) : noUnits;
    const times = timesOf(subject);
    const free = isHit || request?.operation === "count";
    const cost = group ? totalCost(attempts) : exchange.cost;
    return {
      id,
      organisation_id: "",
      organisation_name: null,
      workspace_slug: null,
      user_id: principal?.user ?? null,
      api_key_id: principal && isId(principal.id) ? principal.id : null,
      api_key_name: principal?.name ?? null,
      created_at: writtenInstant(exchange.receivedAt + Math.round(group?.first.startedAt ?? 0)),
      is_success: success,
      ai_org: provider?.name || null,
      ai_org_auth_hash: provider ? digestOf(provider) : null,
      ai_model: target?.model ?? request?.model ?? group?.last.model ?? null,
      req_units: units.req_units,
      res_units: units.res_units,
      total_units: units.total_units,
      cost: free ? 0 : centsOf(cost),
      cost_currency: "USD",
      request_url: url,
      request_method: group?.last.call?.method ?? exchange.method,
      response_status_code: status,
      response_time: Math.round((final ? exchange.endedAt : spanOf(group)) ?? 0),
      is_proxy_call: isProxy,
      cache_status: cache ?? null,
      cache_type:
        cache === undefined || cache === "DISABLED" ? null : cache.startsWith("SEMANTIC") ? "SEMANTIC" : "SIMPLE",
      cache_savings: isHit ? centsOf(group?.last.avoided) : 0,
      stream_mode: request ? (request.stream ? 1 : 0) : null,
      retry_success_count: group ? retriesOf(group) : 0,
      mode: routing?.mode ?? "single",
      last_used_option_index: Number(/\.targets\[(\d+)\]/.exec(target?.path ?? "")?.[1] ?? 0),
      provider_slug: provider?.slug || null,
      virtual_key: provider?.slug || null,
      config: config?.slug ?? (routing?.config?.startsWith("inline:") ? "inline" : (routing?.config ?? null)),
      config_id: config?.id ?? null,
      config_version_id: config?.version ?? null,
      prompt_id: prompt?.id ?? null,
      prompt_version_id: prompt?.versionId ?? null,
      prompt_slug: prompt?.slug ?? null,
      trace_id: place.traceId,
      // What is tried for a request hangs below what the client sees of it.
      span_id: final ? place.spanId : newSpanId(),
      parent_span_id: final ? place.parentSpanId : place.spanId,
      span_name: final ? place.spanName : null,
      internal_trace_id: exchange.id,
      source: exchange.source ?? (endpoint.socket ? endpoint.type : isProxy ? "proxy" : "gateway"),
      runtime: textOf(headers["x-stainless-runtime"]),
      runtime_version: textOf(headers["x-stainless-runtime-version"]),
      sdk_version: textOf(headers["x-stainless-package-version"]),
      _user: special._user ?? principal?.user ?? null,
      _environment: special._environment ?? null,
      _organisation: special._organisation ?? null,
      _prompt: special._prompt ?? null,
      "metadata.key": metadata["metadata.key"],
      "metadata.value": metadata["metadata.value"],
      gateway_version: version,
      log_store_file_path_format: "v1",
      endpoint_type: endpoint.type,
      request_parsing_time: times.reading,
      pre_processing_time: times.before,
      cache_processing_time: times.cache,
      upstream_response_time: times.head,
      ttlt: times.end,
      ttft: times.firstToken,
      response_parsing_time: times.translation,
      gateway_processing_time: times.own,
      usage_source: usageSourceOf(attempts),
      cost_source: cost && cost.source !== "none" ? cost.source : null,
    };
  };
}

const none: AttemptGroup["attempts"] = [];

/** Whether a provider was called, or is known to have worked. */
const wasAsked = ({ call, sentAt, usage }: AttemptGroup["attempts"][number]): boolean =>
  call !== undefined || sentAt !== undefined || usage !== undefined;

/** Where some of it was counted here, all of it is no better than that. */
function usageSourceOf(attempts: AttemptGroup["attempts"]): LogRow["usage_source"] {
  let source: LogRow["usage_source"] = null;
  for (const { usage } of attempts)
    if (usage) {
      if (usage.estimated) return "estimated";
      if (saysNumber(usage)) source = "provider";
    }
  return source;
}

function saysNumber(usage: Usage): boolean {
  for (const name in usage) if (typeof usage[name as keyof Usage] === "number") return true;
  return false;
}

const textOf = (value: string | string[] | undefined): string | null => (typeof value === "string" ? value : null);

/** What was asked here: a target may bring a request of its own. */
export const requestIn = ({ exchange, group }: Pick<Subject, "exchange" | "group">): GatewayRequest | undefined =>
  group?.last.target.request ?? exchange.request;

/** Whether a call went on without anybody knowing what it asks for. */
const isProxyCall = ({ operation, prepare, procedure, socket }: Endpoint): boolean =>
  !(operation || prepare || procedure || socket);

/** The URL that was called, without what is secret in it; the gateway's own path where nobody was, or nobody is who was meant. */
export function urlOf({ exchange, group }: Pick<Subject, "exchange" | "group">): string {
  if (!group) return sanitisedUrl(exchange.url);
  const { call, target } = group.last;
  const { provider } = target;
  const url = sanitisedUrl(call ? call.origin + call.path : provider.baseUrl || exchange.url);
  return provider.secrets.reduce((clean, secret) => (secret.length > 3 ? clean.replaceAll(secret, "***") : clean), url);
}

/** Milliseconds from the first call of a target to the end of the last. */
export function spanOf(group: AttemptGroup | undefined): number | undefined {
  const end = group?.last.endedAt;
  return group && end !== undefined ? end - group.first.startedAt : undefined;
}

const whole = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : Math.max(0, Math.round(milliseconds));

/**
 * Times nobody measures are not known: to look at the clock around each piece of a stream that is translated would cost more
 * than it told. What the gateway itself took is all that no upstream did, and that was no wait.
 */
function timesOf({ exchange, group, final }: Subject) {
  const last = group?.last;
  const since = (at: number | undefined) => (last && at !== undefined ? at - last.startedAt : undefined);
  const own = final && exchange.endedAt !== undefined ? exchange.endedAt - upstreamTime(exchange) : undefined;
  const { authenticatedAt: known, bodyReadAt: read } = exchange;
  const reading = known === undefined || read === undefined ? undefined : read - known;
  const before = exchange.attempts[0]?.startedAt ?? exchange.endedAt;
  return {
    reading: whole(final ? reading : undefined),
    before: whole(final && before !== undefined ? before - (reading ?? 0) : undefined),
    head: whole(since(last?.headersAt)),
    end: whole(since(last?.endedAt)),
    cache: whole(group?.first.cacheTime),
    firstToken: whole(since(last?.firstTokenAt)),
    translation: whole(last?.translationTime),
    own: whole(own),
  };
}

/** Attempts beside others are waited for with them, and count once. Before a retry there is a wait. */
function upstreamTime({ attempts, endedAt = 0 }: Exchange): number {
  let total = 0;
  let until = 0;
  for (const { startedAt, sentAt, endedAt: end = endedAt, call, target } of attempts) {
    total += target.delayMs ?? 0;
    if (!call && sentAt === undefined) continue;
    total += Math.max(0, end - Math.max(startedAt, until));
    until = Math.max(until, end);
  }
  return total;
}

/** What the request says of itself, and the headers that are taken for it where it says nothing. */
function pairsOf(exchange: Exchange, captured: readonly string[]): Iterable<readonly [string, string]> {
  const { metadata, headers } = exchange;
  const taken = captured.filter(
    (name) => headers[name] !== undefined && (!Object.hasOwn(metadata, name) || isOnlyBaggage(exchange, name)),
  );
  const pairs = Object.entries(metadata);
  if (taken.length === 0) return pairs;
  const texts = taken.map((name) => [name, headerText([headers[name]].flat().join(", "))] as const);
  return new Map([...pairs, ...texts]);
}
