import type { ErrorDetail } from "../errors/error-detail.ts";
import type { Clocks } from "./clocks.ts";
import type { Headers } from "./headers.ts";
import type { OperationSpec } from "./operation-spec.ts";
import type { OperationName } from "./operations.ts";
import type { ModelQuery, ProcedureTable, Vendor } from "./procedure.ts";
import type { StoredPricing } from "./stored-pricing.ts";
import type { SignableCall, Transport } from "./transport.ts";
import type { VideoWire } from "./video-wire.ts";

/** A provider with its options: what the road needs to call it. Made by the provider kit. */
export interface BoundProvider {
  /** The slug it is configured under: what a client writes in `model: "slug/…"`. */
  readonly slug: string;
  /** The vendor: `openai`. What `x-gateway-provider` shows. */
  readonly name: string;
  /** Whether it has what it needs to authenticate. */
  readonly usable: boolean;
  readonly baseUrl: string;
  /** Scheme, host and port of the base URL, and the path below which calls go, without a slash at its end. */
  readonly origin: string;
  readonly basePath: string;
  /** What stands behind the path of the base URL, with its question mark: it goes behind the path of every call there. */
  readonly baseQuery: string;
  readonly operations: { readonly [Name in OperationName]?: readonly OperationSpec[] };
  /** How lines of a batch say an operation, where that is not how it is asked for one at a time. */
  readonly batchOperations?: BoundProvider["operations"];
  /** How it does what clients ask about things it keeps; absent: as their format is usually served. */
  readonly procedures?: ProcedureTable;
  /** Where it has the sockets that clients ask for, by the type of the endpoint; others it has none of. */
  readonly sockets?: Readonly<Record<string, SocketPath>>;
  /** Headers of every call: credentials and the vendor's own. Lower case. */
  readonly headers: Headers | (() => Promise<Headers>);
  /** Signs a finished call, for vendors whose credential covers the body. */
  readonly sign?: (call: SignableCall) => Headers | Promise<Headers>;
  /** How calls leave; absent is HTTP. */
  readonly transport?: Transport;
  /** Client headers copied to the upstream when present. */
  readonly forwards: readonly string[];
  /**
   * Those of them that are the vendor's own words, and no credential: clients may say them with the gateway's prefix, too
   * (inference-api.md section 3.5). What an operator has forwarded may be called like an option of the gateway's (`api-key`).
   */
  readonly vendorHeaders: readonly string[];
  /** What the vendor is told of a header, whoever set it; undefined leaves it out. Lower case. Not for raw calls. */
  readonly headerFilters?: Readonly<Record<string, (value: string) => string | undefined>>;
  /** What is still missing before it can be called, in words for whoever calls it. */
  readonly lacks?: string;
  /** Why none of the formats of an operation serves a model, as it goes on after a colon. */
  readonly whyNot?: (operation: OperationName, model: string) => string | undefined;
  /** True when the base URL came with the request: its address is checked. */
  readonly untrustedHost: boolean;
  /** Whether some of its secrets came with the request, or with its routing config: what it is told may be another's. */
  readonly broughtSecret?: boolean;
  /** Where raw paths below `/v1/proxy/` go. `asked` is what a client sent, where one did. */
  readonly proxyPath?: (path: string, asked?: RawAsked) => string;
  /** Asks for the vendor's list of models where that comes in pages: all of it, in the vendor's words. `query` is the client's. */
  readonly listModels?: (query: ModelQuery, vendor: Vendor) => Promise<Readonly<Record<string, unknown>>>;
  /** Reads the vendor's error body when it is not the format's. */
  readonly readError?: (
    status: number,
    wire: unknown,
    headers?: Readonly<Record<string, string | string[] | undefined>>,
  ) => ErrorDetail | undefined;
  /** Values that must never appear in what a caller sees. */
  readonly secrets: readonly string[];
  /** It still waits for a secret: what this resolves with is called in its place. */
  readonly pending?: Promise<BoundProvider>;
  /** What its answers say they cost is what it charges. */
  readonly statesCost?: true;
  /** How it begins videos and tells of them, where that is not as OpenAI does. */
  readonly videos?: VideoWire;
  /** Service tiers that are paid for as a whole: what was served in one of them cost nothing. */
  readonly paidTiers?: readonly string[];
  /** What is said of the prices of a model where the provider is kept. */
  readonly pricing?: (model: string) => StoredPricing | undefined;
  /** The model behind a name it is asked for by, where that is a deployment's. */
  readonly modelBehind?: (name: string) => string;
  /**
   * Asks the vendor what model is behind a name, before a request is written for it; from then on `modelBehind` says it.
   * Undefined where nobody has to be asked. Never rejects: what cannot be found out is not known.
   */
  readonly findModel?: (name: string, vendor: () => Vendor) => Promise<void> | undefined;
  /** Throws `model_not_allowed` where it is not open to a model that is asked for in place of the one it was chosen for. */
  readonly allow?: (model: string) => void;
  /** Told that the vendor did not accept the credential. */
  readonly refused?: () => void;
  readonly clocks?: Clocks;
  /** The gateway itself: answers from it name no provider. */
  readonly itself?: boolean;
  /** No translation, no accounting: all client headers go on, bodies are untouched. */
  readonly raw?: boolean;
}

/** What a client sent that is passed on as it came: path and query as received, and its headers, in lower case. */
export interface RawAsked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Where a provider has its sockets, below its base URL: a path, which the query goes behind as it is (the client's, with
 * the model that is asked for), or what makes one and may change the query.
 */
export type SocketPath = string | ((query: URLSearchParams) => string);
