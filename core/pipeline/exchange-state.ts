import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Answer } from "../model/answer.ts";
import type { Attempt } from "../model/attempt.ts";
import type { Endpoint } from "../model/endpoint.ts";
import type {
  ClientReply,
  ConfigInForce,
  Ending,
  Exchange,
  HookResults,
  Rehearsal,
  RouteNote,
} from "../model/exchange.ts";
import type { UrlSays } from "../model/format.ts";
import type { GatewayHeaders } from "../model/headers.ts";
import type { Principal } from "../model/principal.ts";
import type { GatewayRequest } from "../model/request.ts";
import type { Route } from "../model/route.ts";
import type { Cost, Usage } from "../model/usage.ts";
import { timeOrderedId } from "../time-ordered-id.ts";
import { Cancellation } from "./cancellation.ts";
import { isManagement } from "./is-management.ts";
import { clientMetadata, without } from "./request/metadata.ts";
import type { Prepared } from "./request/prepared.ts";
import { saysTrue } from "./request/says-true.ts";
import { traceParent } from "./request/trace-parent.ts";
import { WireRequest } from "./request/wire-request.ts";

export interface Arrival {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string | undefined;
  readonly viaProxy?: boolean;
  readonly headerPrefixes: readonly [string, ...string[]];
  /** What was said by the URL that this one was written as. */
  readonly said?: UrlSays | undefined;
  /** Where it goes if its body is not for the endpoint (`Endpoint.members`). */
  readonly beside?: Endpoint | undefined;
}

/** What goes on when the client has its answer. */
export interface InBackground {
  readonly done: Promise<void>;
  /** Nothing else of the request is under way any more: from now on nobody would notice if it never ended. */
  leftAlone(): void;
}

/** A race as its lanes see it. */
export interface RaceAround {
  /** Calls `then` once nobody else can win it, nor any race around it. */
  whenAlone(then: () => void): void;
}

/** The exchange, as the pipeline holds it. */
export class ExchangeState implements Exchange {
  readonly id: string;
  readonly traceId: string;
  endpoint: Endpoint;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly gatewayHeaders: PrefixedHeaders;
  readonly remoteAddress: string | undefined;
  readonly receivedAt: number;
  readonly strict: boolean;
  /** Nitro mode: the body of a unified route is not read but streamed on (inference-api.md section 22.3). */
  readonly nitro: boolean;
  readonly attempts: Attempt[];
  readonly droppedParams = new Set<string>();
  readonly cancellation = new Cancellation();
  declare readonly viaProxy?: true;
  declare attempt?: Attempt;
  declare told?: Record<string, string>;
  declare keepsBody?: boolean;
  declare role?: NonNullable<Exchange["role"]>;
  declare event?: string;
  declare source?: NonNullable<Exchange["source"]>;
  declare rehearsal?: Rehearsal;
  declare lane?: "rival" | "shadow";
  declare trunk?: ExchangeState;
  /** The race it is a lane of. */
  declare race?: RaceAround;
  declare whenFailed?: (() => void)[];
  /** What goes on when the client has its answer: copies of the request whose answers are only recorded. */
  declare background?: InBackground[];
  declare principal?: Principal;
  declare authenticatedAt?: number;
  declare bodyReadAt?: number;
  declare request?: GatewayRequest;
  declare route?: Route;
  declare routing?: { readonly config?: string; readonly mode: string };
  declare routeNotes?: RouteNote[];
  declare config?: ConfigInForce;
  declare answer?: Answer;
  declare hookResults?: HookResults;
  declare checkedHeaders?: Exchange["headers"] | undefined;
  declare usage?: Usage;
  declare cost?: Cost;
  declare cacheStatus?: Exchange["cacheStatus"];
  declare keepsAnswer?: Exchange["keepsAnswer"];
  declare ending?: Ending;
  declare status?: number;
  declare reply?: ClientReply;
  /** What the last target was asked: a retry asks it again. */
  prepared: Prepared | undefined;
  declare endedAt?: number;
  malformedFrames = 0;
  readonly #started: number;
  #arrival: Arrival;
  #metadata: Readonly<Record<string, string>> | undefined;
  #metadataValues: Readonly<Record<string, unknown>> | undefined;

  /** `after` is when a part of the trunk that stands for itself begins, in milliseconds since the trunk did. */
  constructor(arrival: Arrival, trunk?: ExchangeState, lane?: ExchangeState["lane"], after?: number) {
    const isRival = trunk !== undefined && lane !== "shadow" && after === undefined;
    this.#arrival = arrival;
    this.receivedAt = trunk ? trunk.receivedAt + Math.round(after ?? 0) : Date.now();
    this.id = isRival ? trunk.id : (idOf(arrival) ?? timeOrderedId(this.receivedAt));
    this.#started = trunk ? trunk.#started + (after ?? 0) : performance.now();
    this.attempts = isRival ? trunk.attempts : [];
    this.endpoint = arrival.endpoint;
    this.method = arrival.method;
    this.url = arrival.url;
    this.headers = arrival.headers;
    this.remoteAddress = arrival.remoteAddress;
    if (arrival.viaProxy) this.viaProxy = true;
    this.gatewayHeaders = new PrefixedHeaders(arrival.headers, arrival.headerPrefixes);
    this.traceId =
      trunk?.traceId ??
      this.gatewayHeaders.get("trace-id") ??
      traceParent(arrival.headers.traceparent)?.trace ??
      this.id;
    const strict =
      this.gatewayHeaders.get("strict-open-ai-compliance") ?? this.gatewayHeaders.get("strict-openai-compliance");
    this.strict = strict?.toLowerCase() !== "false";
    const { operation, members } = arrival.endpoint;
    this.nitro = operation !== undefined && !members && saysTrue(this, "nitro-mode");
  }

  /** Put together when first asked for; what the principal brings wins over what the client says. */
  get metadata(): Readonly<Record<string, string>> {
    if (this.#metadata) return this.#metadata;
    const { identity, metadata } = this.principal ?? {};
    const { texts, values } = clientMetadata(this.headers, this.gatewayHeaders, userOf(this.request));
    if (values) this.#metadataValues = without(values, metadata);
    const isAll = identity === undefined && !metadata;
    this.#metadata = isAll ? texts : { ...(identity !== undefined && { _user: identity }), ...texts, ...metadata };
    return this.#metadata;
  }

  get metadataValues(): Readonly<Record<string, unknown>> | undefined {
    return this.metadata && this.#metadataValues;
  }

  set metadata(metadata: Readonly<Record<string, string>>) {
    this.#metadata = metadata;
  }

  /**
   * The same request once more, for an attempt beside others: what the attempt finds out is its own; the list of attempts
   * is shared by rivals.
   */
  branch(lane: ExchangeState["lane"]): ExchangeState {
    const branch = new ExchangeState(this.#arrival, this, lane);
    if (lane) branch.lane = lane;
    // Who races within a copy, or a call of the gateway's own, is a part of that.
    const role = lane === "shadow" ? lane : this.role;
    if (role) branch.role = role;
    this.#passOn(branch);
    this.background ??= [];
    branch.background = this.background;
    return branch;
  }

  /** A part of it that is priced, counted and recorded by itself, begun `after` milliseconds. */
  turn(event: string, after: number): ExchangeState {
    const turn = new ExchangeState(this.#arrival, this, undefined, after);
    turn.role = "turn";
    turn.event = event;
    this.#passOn(turn);
    return turn;
  }

  #passOn(other: ExchangeState): void {
    other.trunk = this;
    if (this.principal) other.principal = this.principal;
    if (this.request) other.request = this.request;
    if (this.source) other.source = this.source;
    if (this.config) other.config = this.config;
    if (this.routing) other.routing = this.routing;
    other.metadata = this.metadata;
    other.#metadataValues = this.#metadataValues;
  }

  /** Tells the branch that answers what the client is to know of the exchange. */
  inform(branch: ExchangeState): void {
    if (this.told) branch.told = { ...this.told, ...branch.told };
  }

  /** Takes over what the branch that answered found out. */
  join(branch: ExchangeState): void {
    for (const name of foundOut) if (branch[name] !== undefined) Object.assign(this, { [name]: branch[name] });
    // Of what was tried before the race this says nothing.
    if (this.cacheStatus !== branch.cacheStatus) this.cacheStatus = branch.cacheStatus;
    this.metadata = branch.metadata;
    this.malformedFrames += branch.malformedFrames;
    this.droppedParams.clear();
    for (const name of branch.droppedParams) this.droppedParams.add(name);
  }

  /** What the client's URL says of the request, whatever its body says. */
  get said(): UrlSays | undefined {
    return this.#arrival.said;
  }

  /** Goes on as a request to the raw endpoint beside its own one. Throws `not_found` where there is none. */
  leadBeside(): void {
    const { beside } = this.#arrival;
    if (!beside) throw new GatewayError("not_found", "Not Found");
    this.#arrival = { ...this.#arrival, endpoint: beside, beside: undefined };
    this.endpoint = beside;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  /** Milliseconds since the request arrived. */
  elapsed(): number {
    return performance.now() - this.#started;
  }
}

const foundOut = ["attempt", "answer", "hookResults", "usage", "ending", "status", "reply", "told"] as const;

const userOf = (request: GatewayRequest | undefined): string | undefined =>
  request instanceof WireRequest ? request.user : undefined;

/** The gateway's own headers under the configured prefix or one of its aliases; the earlier prefix wins. */
export class PrefixedHeaders implements GatewayHeaders {
  /** Values by name without prefix; absent when the client sent none, as most do not. */
  readonly #values: Map<string, string> | undefined;
  readonly #empty: Set<string> | undefined;
  /** The alias this client speaks, if it does: it is answered in the same one. */
  readonly alias: string | undefined;
  readonly #prefix: string;

  constructor(headers: IncomingHttpHeaders, prefixes: readonly [string, ...string[]]) {
    this.#prefix = prefixes[0];
    for (const prefix of prefixes) {
      for (const header in headers) {
        if (!header.startsWith(prefix)) continue;
        const value = headers[header];
        const text = (Array.isArray(value) ? value.join(",") : (value ?? "")).trim();
        const name = header.slice(prefix.length);
        this.#values ??= new Map();
        if (text === "") {
          this.#empty ??= new Set();
          this.#empty.add(name);
          continue;
        }
        if (this.#values.has(name)) continue;
        this.#values.set(name, text);
        if (prefix !== prefixes[0]) this.alias ??= prefix;
      }
    }
  }

  /** Whether the client sent any. */
  get any(): boolean {
    return this.#values !== undefined;
  }

  get(name: string): string | undefined {
    return this.#values?.get(name);
  }

  isEmpty(name: string): boolean {
    return this.#empty?.has(name) === true && this.get(name) === undefined;
  }

  nameOf(name: string): string {
    return `${this.alias ?? this.#prefix}${name}`;
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Callers of the management API may bring the id of a request; elsewhere it is that of a record, and ours to choose. */
function idOf({ endpoint, headers, headerPrefixes }: Arrival): string | undefined {
  if (!isManagement(endpoint)) return undefined;
  const given = new PrefixedHeaders(headers, headerPrefixes).get("request-id");
  return given !== undefined && uuid.test(given) ? given.toLowerCase() : undefined;
}
