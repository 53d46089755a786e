import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "./answer.ts";
import type { Attempt } from "./attempt.ts";
import type { Endpoint } from "./endpoint.ts";
import type { GatewayHeaders } from "./headers.ts";
import type { Principal } from "./principal.ts";
import type { GatewayRequest } from "./request.ts";
import type { Route } from "./route.ts";
import type { Cost, Usage } from "./usage.ts";

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
  /** Set where it says that something is not known to whoever looks: only the gateway that runs knows. */
  readonly known?: false;
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
  /** A proxy that is trusted brought it (`server.trustedProxies`): its `x-forwarded-*` headers can be believed. */
  readonly viaProxy?: true;
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
  /** Of an attempt beside others: called when it has come to nothing, whoever goes on; made when first written to. */
  whenFailed?: (() => void)[];
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
  cacheStatus?: string | undefined;
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
