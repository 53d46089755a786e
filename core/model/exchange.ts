import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { Answer } from "./answer.ts";
import type { Attempt } from "./attempt.ts";
import type { OperationName } from "./format.ts";
import type { Limited } from "./limited.ts";
import type { AnyClientProcedure } from "./procedure.ts";
import type { GatewayRequest } from "./request.ts";
import type { Route } from "./route.ts";
import type { SocketEndpoint } from "./socket.ts";
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
  readonly defaultConfig?: { readonly slug?: string; readonly id?: string; readonly mayReplace: boolean };
  /** Who `_user` is in the metadata where neither the request nor the principal's own metadata says. */
  readonly identity?: string;
  /** What the credential itself is limited to, for whoever counts. */
  readonly limits?: Limited;
  /**
   * Ids of the organisation and the workspace it acts for, which make its tenant: those who have the same ones share it,
   * and without them a principal is a tenant of its own. With an organisation alone it manages all of it.
   */
  readonly organisation?: string;
  readonly workspace?: string;
  /** The id of the person behind it, where there is one. */
  readonly user?: string;
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
  /** What the URL looks like of a raw call with a JSON body whose answer may be kept and given again; absent is none. */
  readonly cacheable?: RegExp;
  /** Makes of a JSON answer that a provider gives to a raw call what the client is to have; or returns it itself. */
  readonly corrects?: (wire: unknown, provider: string) => unknown;
  /**
   * Answers here, instead of a provider: the exchange is admitted and recorded like any other. Undefined leaves it to the
   * provider after all. It gives a whole answer, and no body is streamed to it: what is asked is in `exchange.request`. One
   * that does not settle within `server.hookDeadline` is a 500, and the log names it; what it still does goes on unheard.
   */
  readonly serve?: (exchange: Exchange) => Served | undefined | Promise<Served | undefined>;
  /**
   * `serve` may take as long as a whole attempt does (`server.clocks.total`, where that is longer): it writes as many
   * records as there are, or leans on stores whose clocks are the operator's.
   */
  readonly takesTime?: boolean;
  /**
   * Makes the request, before a route is chosen, out of the body that was sent (`exchange.request.json`). From there on it
   * is a request as any other. See `requestFrom`. It has `server.hookDeadline` to settle, as a tap has.
   */
  readonly prepare?: (exchange: Exchange) => GatewayRequest | Promise<GatewayRequest>;
  /** Asks the provider to do something in calls of its own making. */
  readonly procedure?: AnyClientProcedure;
  /** Its clients ask for a websocket. Providers say under the endpoint's type where they have theirs. */
  readonly socket?: SocketEndpoint;
  /** The URL that vendors know the endpoint by, where the client may have written another one. */
  readonly rawUrl?: (url: string) => string;
  /** The body can be sent once, to one provider: a config that names several is refused. */
  readonly oneTarget?: boolean;
  /** Of a config that names several targets the first one is asked, and no other (inference-api.md sections 11.6 and 17). */
  readonly firstTarget?: boolean;
  /** A principal with scopes needs all of these; `completions.write` where neither this nor `anyScope` is there. */
  readonly scopes?: readonly string[];
  /** It needs one of these besides. */
  readonly anyScope?: readonly string[];
  /** Whether it answers without a credential too. */
  readonly open?: boolean;
  /** The gateway's own errors have the shape of this surface, whatever they are. */
  readonly errors?: "management";
  /** The plugin it is added for, where another one adds it: what it fails with is told of that one. */
  readonly owner?: string;
  /** What it is, for `/openapi.json`. */
  readonly description?: EndpointDescription;
}

/** What an endpoint answers itself: JSON, or text of the content type its headers name. */
export interface Served {
  readonly status: number;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
}

/** What `/openapi.json` says of an endpoint beyond its place. Schemas are zod's. */
export interface EndpointDescription {
  /** Endpoints of one tag stand together: `configs`. */
  readonly tag: string;
  readonly summary: string;
  /** One of these suffices, where not all of `scopes` are needed. */
  readonly anyScope?: readonly string[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer?: z.ZodType;
}

/** Which side of an exchange is rehearsed. */
export interface Rehearsal {
  readonly side: "input" | "output";
  /** What was answered elsewhere, in the format of the endpoint. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** The request or the answer as it goes on, where taps have changed it. */
  changed?: Readonly<Record<string, unknown>>;
}

/** What the client was given. */
export interface ClientReply {
  readonly headers: Readonly<Record<string, string | string[] | number>>;
  /** Of a refusal of the gateway's own, which is no attempt's. */
  readonly bytes?: Buffer;
}

/** A decision on the way to a target. */
export interface RouteNote {
  /** Where in the config: `config`, `config.targets[1]`. */
  readonly path: string;
  readonly message: string;
}

/** A saved routing config, for records. Those of the config file have a slug only. */
export interface ConfigInForce {
  readonly slug: string;
  readonly id?: string;
  /** The id of the version of it that counted. */
  readonly version?: string;
}

/** Verdicts of guardrails, those that nobody waited for too. Entries are the JSON clients see. */
export interface HookResults {
  readonly before_request_hooks: readonly Readonly<Record<string, unknown>>[];
  readonly after_request_hooks: readonly Readonly<Record<string, unknown>>[];
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
   * Set where this is a copy whose answer nobody waits for, where the gateway itself is the caller, where nobody will be
   * called at all (`sluice explain`), and where it is a part of what was let in as a whole (a `turn` on a socket): how that
   * goes is no experience, and nothing to tell other processes. `account` is what was done elsewhere, and is only priced and
   * counted: nothing is refused any more.
   */
  readonly role?: "shadow" | "internal" | "imagined" | "turn" | "account";
  /** What the gateway sends by itself for somebody; absent of what clients send. */
  readonly source?: "batch";
  /** Nobody is called, because that happens elsewhere: only guardrails say what they think of the request or of its answer. */
  readonly rehearsal?: Rehearsal;
  /**
   * Of an attempt beside others, of a copy, and of a turn: the exchange it is made for. Rivals share its attempts, others
   * do not.
   */
  readonly trunk?: Exchange;
  /** Of a turn: what happened, by the vendor's name for it. */
  readonly event?: string;
  /** Public names of request fields lost in translation. */
  readonly droppedParams: Set<string>;
  /** Context of the request, for routing and records. */
  metadata: Readonly<Record<string, string>>;
  /** What of it the client wrote as something else than text, for comparisons; absent where that is nothing. */
  readonly metadataValues?: Readonly<Record<string, unknown>> | undefined;
  principal?: Principal;
  /** Milliseconds since `receivedAt` when it was known who asks and that they may; absent where they may not. */
  authenticatedAt?: number;
  /** When all of the body was there; absent where nobody read it before it was sent on. */
  bodyReadAt?: number;
  /** What is asked; a target may bring a request of its own (`requestOf`). */
  request?: GatewayRequest;
  route?: Route;
  /** Which routing config it goes by (its slug, or `inline:` and a digest; absent is none), and how the root of that chooses. */
  routing?: { readonly config?: string; readonly mode: string };
  /** Why the route went where it went, in the order it was decided; made when first written to. */
  routeNotes?: RouteNote[];
  /** The saved routing config in force; inline ones have no name. */
  config?: ConfigInForce;
  answer?: Answer;
  /** What checks said of the request and of its answer, for records (guardrails.md section 4.2). */
  hookResults?: HookResults;
  /** The client's headers, with those that checks took out of its tokens in place of its own: as they are sent on. */
  checkedHeaders?: IncomingHttpHeaders | undefined;
  /** Of the answer the client has; what other attempts used is with them. */
  usage?: Usage;
  /** Of all attempts together; unknown where that of one is. */
  cost?: Cost;
  /** What the cache did for the last target: `HIT`, `MISS`, … Absent where it was not asked. */
  cacheStatus?: string;
  /**
   * Set by a tap on `beforeRequest` of a raw call: is given the answer, where that is a success and JSON, once the client has
   * all of it. The bytes are plain however they were packed for the client.
   */
  keepsAnswer?: ((answer: { readonly status: number; readonly bytes: Buffer }) => void) | undefined;
  ending?: Ending;
  /** The status the client was given. */
  status?: number;
  /** With what, from the moment its head is written. */
  reply?: ClientReply;
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
