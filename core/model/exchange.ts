import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "./answer.ts";
import type { OperationName } from "./format.ts";
import type { AnyClientProcedure } from "./procedure.ts";
import type { GatewayRequest } from "./request.ts";
import type { Outcome, Route, Target } from "./route.ts";
import type { Cost, Usage } from "./usage.ts";

/** Who is asking. */
export interface Principal {
  /** Stable id, used in keys of caches and counters. */
  readonly id: string;
  /** Shown in records. */
  readonly name?: string;
  /** The client headers that carried the gateway credential: they never go upstream. */
  readonly credentialHeaders?: readonly string[];
  /** The parameters of the query that carried it: they go upstream as little. */
  readonly credentialParameters?: readonly string[];
  readonly scopes?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** The routing config of requests that name none. Without `mayReplace` they may not name another one. */
  readonly defaultConfig?: { readonly slug: string; readonly mayReplace: boolean };
  /** Who else belongs to the same tenant; without them a principal is a tenant of its own. */
  readonly organisation?: string;
  readonly workspace?: string;
}

/** A place clients call: one row of the endpoint table. */
export interface Endpoint {
  /** `chatComplete`, `messages`, … (inference-api.md section 1). */
  readonly type: string;
  readonly method: string;
  /** Fastify path, with the `/v1` prefix. */
  readonly path: string;
  /** What the URL has to look like besides, where several endpoints share a path. The first one that fits is called. */
  readonly url?: RegExp;
  /** The operation and the client's format; absent on raw endpoints. */
  readonly operation?: OperationName;
  readonly format?: string;
  /** Whether every request is decoded, so that its bounds are checked even where its bytes pass through. */
  readonly checked?: boolean;
  /** Whether the request body is a stream of bytes nobody looks into. */
  readonly rawBody?: boolean;
  /**
   * Answers here, instead of a provider: the exchange is admitted and recorded like any other. Undefined leaves it to the
   * provider after all.
   */
  readonly serve?: (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;
  /** Asks the provider to do something in calls of its own making. */
  readonly procedure?: AnyClientProcedure;
  /** The URL that vendors know the endpoint by, where the client may have written another one. */
  readonly rawUrl?: (url: string) => string;
  /** The body can be sent once, to one provider: a config that names several is refused. */
  readonly oneTarget?: boolean;
  /** A principal with scopes needs all of these. */
  readonly scopes?: readonly string[];
}

/** One call to one target. Times are milliseconds since the exchange began. */
export interface Attempt {
  readonly target: Target;
  readonly startedAt: number;
  connectedAt?: number;
  headersAt?: number;
  firstTokenAt?: number;
  endedAt?: number;
  outcome?: Outcome;
  /** Response headers about this attempt, by name without prefix: `cache-status`. Sent when it is the last one. */
  told?: Record<string, string>;
  /** The attempt ran beside another one. */
  lane?: "rival" | "shadow";
}

/** A decision on the way to a target. */
export interface RouteNote {
  /** Where in the config: `config`, `config.targets[1]`. */
  readonly path: string;
  readonly message: string;
}

/** How an exchange ended, for records. */
export type Ending = "complete" | "error" | "truncated" | "client-gone";

/** One request and everything that becomes known about it on its road. State with names, nothing that does work. */
export interface Exchange {
  readonly id: string;
  readonly traceId: string;
  readonly endpoint: Endpoint;
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Values of the gateway's own headers, by name without prefix. */
  readonly gatewayHeaders: GatewayHeaders;
  readonly remoteAddress: string | undefined;
  /** Unix milliseconds. */
  readonly receivedAt: number;
  readonly strict: boolean;
  /** Fires when the client is gone or the gateway gives up. Made when first asked for. */
  readonly signal: AbortSignal;
  readonly attempts: Attempt[];
  /** The attempt under way, for taps that ring within it. */
  attempt?: Attempt;
  /** Response headers about the request as a whole, by name without prefix; made when first written to. */
  told?: Record<string, string>;
  /** The body may be sent more than once: one that would be streamed on is read first, where it is not too large. */
  keepsBody?: boolean;
  /**
   * Set where this is a copy whose answer nobody waits for, where the gateway itself is the caller, and where nobody will
   * be called at all (`sluice explain`): how that goes is no experience, and nothing to tell other processes.
   */
  readonly role?: "shadow" | "internal" | "imagined";
  /** Public names of request fields lost in translation. */
  readonly droppedParams: Set<string>;
  /** Context of the request, for routing and records. */
  metadata: Readonly<Record<string, string>>;
  principal?: Principal;
  request?: GatewayRequest;
  route?: Route;
  /** Why the route went where it went, in the order it was decided; made when first written to. */
  routeNotes?: RouteNote[];
  answer?: Answer;
  usage?: Usage;
  cost?: Cost;
  /** What the cache did for the last target: `HIT`, `MISS`, … Absent where it was not asked. */
  cacheStatus?: string;
  ending?: Ending;
  /** The status the client was given. */
  status?: number;
  /** Stream frames that were not parsable and were left out. */
  malformedFrames: number;
  /** Milliseconds since `receivedAt` when the client had its last byte. */
  endedAt?: number;
}

/** Reads `x-gateway-…` headers by their name without prefix, under the prefix of this deployment or an alias of it. */
export interface GatewayHeaders {
  get(name: string): string | undefined;
  /** The header's full name as this client writes it, for telling it what is wrong: `x-gateway-config`. */
  nameOf(name: string): string;
}
