import {
  type Draft,
  type Format,
  fullContext,
  type HookResults,
  type LogBody,
  type LogObject,
  type LogPhase,
  sentSecrets,
  withoutPaths,
} from "../../../core/index.ts";
import { Bodies } from "./bodies.ts";
import type { CaptureMode } from "./capture.ts";
import { type HeaderRedaction, type Hidden, namesIn } from "./headers.ts";
import { requestIn, type Subject, spanOf } from "./row.ts";

export interface ObjectParts {
  readonly redaction: HeaderRedaction;
  /** Bytes of a body that are kept. */
  readonly bodyBytes: number;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
}

/** The log object of a record (observability.md section 3), with as much content as its mode allows, and the bytes of that. */
export function logObject(subject: Subject, mode: CaptureMode, parts: ObjectParts) {
  const phases = new Phases(subject, parts);
  const full = mode === "full";
  const { exchange, group, final, status, success } = subject;
  const asked = full ? phases.bodies.request(group?.asked) : undefined;
  const sent = full ? phases.sent() : undefined;
  const answered = full || !success ? phases.answered() : undefined;
  const received = full ? phases.received() : undefined;
  const variables = full ? phases.variables() : undefined;
  const body = sent?.body ?? asked;
  const execution = spanOf(group);
  const ending = final ? exchange.ending : undefined;
  const responseTime = Math.round((final ? exchange.endedAt : execution) ?? 0);
  const lastUsedOptionJsonPath = group?.last.target.path ?? "config";
  // Field by field: an object put together of others takes much longer.
  const object: UnderWay = {
    request: {
      url: subject.url,
      method: group?.last.call?.method ?? exchange.method,
      ...(sent?.headers && { headers: sent.headers }),
      ...(body && { body }),
      gatewayHeaders: phases.gatewayHeaders(),
    },
    response: answered
      ? Object.assign({ status }, answered, { responseTime, lastUsedOptionJsonPath })
      : { status, responseTime, lastUsedOptionJsonPath },
  };
  if (asked) object.finalUntransformedRequest = { body: asked };
  if (sent) object.transformedRequest = sent;
  if (received) object.originalResponse = received;
  if (variables) object.variables = { body: variables };
  const hookResults = hookResultsOf(subject, full);
  if (hookResults) object.hook_results = hookResults;
  const cache = cacheOf(subject);
  if (cache) object.cache = cache;
  if (execution !== undefined) object.execution_time = Math.round(execution);
  if (ending === "client-gone") object.client_disconnected = true;
  if (ending === "truncated") object.truncated = true;
  // Behind everything else, as it is shown.
  object.log_format = "v1";
  return { object: object as LogObject, size: phases.bodies.size };
}

/** An object that is being made. */
type UnderWay = Partial<Draft<LogObject>>;

/** Bytes of variables that are kept at most: with as much as there may be of five bodies they still fit every store. */
const mostVariables = 500_000;

/** Makes the parts of one object. */
class Phases {
  readonly bodies: Bodies;
  readonly #subject: Subject;
  readonly #parts: ObjectParts;
  readonly #hidden: Hidden;

  constructor(subject: Subject, parts: ObjectParts) {
    this.bodies = new Bodies(requestIn(subject), parts.bodyBytes, parts.formats);
    this.#subject = subject;
    this.#parts = parts;
    this.#hidden = hiddenIn(subject);
  }

  gatewayHeaders(): Record<string, string> {
    return this.#parts.redaction.gatewayHeaders(this.#subject.exchange, this.#hidden);
  }

  /** What went over the wire; absent where nobody was called. A form is kept as its fields. */
  sent(): LogPhase | undefined {
    const { group, url } = this.#subject;
    const call = group?.last.call;
    if (!call) return undefined;
    const { method, headers, body } = call;
    const type = headers["content-type"] ?? "";
    const kept = type.startsWith("multipart/form-data")
      ? this.bodies.request()
      : Buffer.isBuffer(body) && isText(type)
        ? this.bodies.raw(body)
        : undefined;
    return { url, method, headers: this.#headers(headers), ...(kept && { body: kept }) };
  }

  /** What the client was given for it. */
  answered(): Pick<LogPhase, "headers" | "body"> {
    const { exchange, group, final } = this.#subject;
    const headers = final ? exchange.reply?.headers : group?.last.outcome?.headers;
    const bytes = group?.last.answered ?? exchange.reply?.bytes;
    const body = bytes ? this.#answer(bytes, headers) : final ? this.#streamed() : undefined;
    return { ...(headers && { headers: this.#headers(headers) }), ...(body && { body }) };
  }

  /** What the vendor answered, in its own words. */
  received(): LogPhase | undefined {
    const { received, outcome } = this.#subject.group?.last ?? {};
    if (!outcome || outcome.given) return undefined;
    const body = received && this.#answer(received, outcome.headers);
    return { headers: this.#headers(outcome.headers), ...(body && { body }) };
  }

  /** What a prompt was rendered with, unless a guardrail took something out of what it came to (prompts.md section 5.2). */
  variables(): LogBody | undefined {
    const { exchange, group } = this.#subject;
    const { prompt } = requestIn(this.#subject)?.origin ?? {};
    const isRedacted = (group?.last.hookResults ?? exchange.hookResults)?.before_request_hooks.some(
      ({ transformed }) => transformed === true,
    );
    return prompt && !isRedacted ? this.bodies.json(prompt.variables, mostVariables) : undefined;
  }

  #headers(values: Parameters<HeaderRedaction["headers"]>[0]): Record<string, string> {
    return this.#parts.redaction.headers(values, this.#hidden);
  }

  /** Bytes that somebody compressed say nothing to a reader. */
  #answer(bytes: Buffer, headers: Readonly<Record<string, unknown>> | undefined): LogBody | undefined {
    return headers?.["content-encoding"] === undefined ? this.bodies.answer(bytes) : undefined;
  }

  /** A stream as the answer it would have been in one piece, as far as it came: how one ended that was cut, nobody has said. */
  #streamed(): LogBody | undefined {
    const { exchange } = this.#subject;
    const response = exchange.answer?.response;
    const request = requestIn(this.#subject);
    const format = this.#parts.formats.get(request?.format ?? "");
    if (!response || !format) return undefined;
    try {
      const whole = format.encodeResponse(response, fullContext(exchange));
      return this.bodies.json(exchange.ending === "complete" ? whole : withoutPaths(whole, format.endings ?? []));
    } catch {
      // What came is too little for the format to be an answer.
      return this.bodies.json(response);
    }
  }
}

function hiddenIn({ exchange, group }: Subject): Hidden {
  const { gatewayHeaders } = exchange;
  const target = group?.last.target;
  const asked = namesIn(gatewayHeaders.get("forward-headers"));
  const forwarded = target?.forwardHeaders;
  const credentials = exchange.principal?.credentialHeaders;
  const hides = asked || forwarded || credentials;
  return {
    digested: namesIn(gatewayHeaders.get("sensitive-headers")),
    masked: hides && new Set([...(forwarded ?? []).map(({ to }) => to), ...(credentials ?? none), ...(asked ?? none)]),
    secrets: target ? sentSecrets(target.provider, group?.last) : none,
  };
}

const none: readonly string[] = [];

const isText = (type: string): boolean => /json|^text\/|urlencoded|xml/i.test(type);

interface CacheField {
  readonly mode?: string;
  readonly maxAge?: number;
}

function cacheOf({ exchange, group }: Subject): LogObject["cache"] {
  const field = group?.last.target.fields?.cache as CacheField | undefined;
  const status = group?.last.told?.["cache-status"] ?? exchange.cacheStatus;
  if (!field || status === undefined) return undefined;
  return { mode: field.mode ?? null, max_age: field.maxAge ?? null, status };
}

/** What guardrails said of this target; without content, only how they ended. */
function hookResultsOf({ exchange, group }: Subject, full: boolean): HookResults | undefined {
  const { hookResults } = group?.last ?? exchange;
  if (!hookResults) return undefined;
  if (full) return hookResults;
  const { before_request_hooks, after_request_hooks } = hookResults;
  return {
    before_request_hooks: before_request_hooks.map(withoutData),
    after_request_hooks: after_request_hooks.map(withoutData),
  };
}

type HookResult = HookResults["before_request_hooks"][number];

const withoutData = (hook: HookResult): HookResult => ({
  ...hook,
  checks: (hook.checks as readonly Readonly<Record<string, unknown>>[]).map((check) => ({ ...check, data: null })),
});
