import type { Readable } from "node:stream";
import type { Framing, OperationName } from "./format.ts";
import type { ProcedureTable } from "./procedure.ts";
import type { SocketPath } from "./socket.ts";
import type { StoredPricing } from "./stored-pricing.ts";

/** What a provider speaks for one operation. Data, except where a vendor makes code unavoidable. */
export interface OperationSpec {
  /** The wire format, by the name of the format plugin. */
  readonly format: string;
  /**
   * The path below the base URL; a function when the model is part of it. What stands beside the base URL is named with
   * its origin.
   */
  readonly path: string | ((call: PathContext) => string);
  /**
   * Which models are served in this format, where it is not all of them. Others are asked in the first format that
   * serves them. A header of the client may have a say in it, too.
   */
  readonly serves?: (model: string, headers?: ClientHeaders) => boolean;
  /** The model of requests that name none, where it is not the one of the format. */
  readonly defaultModel?: string;
  /** The name the vendor knows a model by, where that is not the one it is asked for by. */
  readonly model?: (model: string) => string;
  /** How the vendor frames streams, where that is not how the format does. */
  readonly framing?: Framing;
  /**
   * The vendor has no streams, or none that tell when they are complete: it is asked for whole answers, which clients
   * that want a stream are given as one.
   */
  readonly whole?: true;
  /** Scheme and host, for an operation the vendor serves elsewhere than below its base URL. */
  readonly origin?: string;
  /** The vendor serves the format exactly as its namesake does: what most other vendors need changed stays as it is. */
  readonly exact?: boolean;
  /** Wire fields this vendor rejects. They are removed and reported as dropped. */
  readonly drops?: readonly string[];
  /** The same of clients that speak this format themselves; what others ask for in their words is let through. */
  readonly dropsOfOwn?: readonly string[];
  /** Wire fields this vendor knows by another name: `{ max_completion_tokens: "max_tokens" }`. */
  readonly renames?: Readonly<Record<string, string>>;
  /** Wire fields sent when the client sent none. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Bounds numeric fields are moved into, `[min, max]`. */
  readonly clamps?: Readonly<Record<string, readonly [number, number]>>;
  /** How many entries of a list this vendor takes: of what other clients than its own say, the rest is left out and reported. */
  readonly most?: Readonly<Record<string, number>>;
  /** Wire fields this vendor takes as headers: field → header, lower case. Lists are joined with commas. */
  readonly bodyHeaders?: Readonly<Record<string, string>>;
  /** Headers of the client that this vendor takes as fields: header, lower case → field. A field of the body wins. */
  readonly headerFields?: Readonly<Record<string, string>>;
  /** Fields that tell the vendor the metadata of a request, joined with what the body says there; its own word wins. */
  readonly metadata?: (metadata: Headers) => Readonly<Record<string, Headers>> | undefined;
  /** A change tables cannot say. `when` tells, without parsing, whether the bytes could need it. */
  readonly rewrite?: Rewrite;
  /**
   * Undoes on a whole answer what the vendor does differently from the format, before it is decoded. Some say in headers
   * what others say in the body.
   */
  readonly normalise?: (wire: Record<string, unknown>, headers?: ClientHeaders) => Record<string, unknown>;
  /** The same for the JSON of one stream frame. */
  readonly normaliseFrame?: (wire: Record<string, unknown>) => Record<string, unknown>;
  /** The frame that the terminator of a stream stands for, where no other one says that the answer is complete. */
  readonly lastFrame?: Readonly<Record<string, unknown>>;
}

export interface Rewrite {
  /** The rewrite runs only when the request contains one of these texts. */
  readonly when: readonly string[];
  /** Returns a changed copy, or its argument. `report` takes the public names of what the vendor cannot be told. */
  readonly apply: (
    wire: Readonly<Record<string, unknown>>,
    report?: (dropped: string) => void,
  ) => Record<string, unknown>;
}

export interface PathContext {
  readonly model: string;
  readonly stream: boolean;
  /** The top-level fields of the body; absent where a path is asked for without a request. */
  readonly fields?: ReadonlySet<string>;
  /** The body as it is sent; absent where the client's own bytes are. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** The headers of a request or an answer as they came. Names in lower case. */
export type ClientHeaders = Readonly<Record<string, string | string[] | undefined>>;

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
  /** Where raw paths below `/v1/proxy/` go. */
  readonly proxyPath?: (path: string) => string;
  /** Reads the vendor's error body when it is not the format's. */
  readonly readError?: (
    status: number,
    wire: unknown,
    headers?: Readonly<Record<string, string | string[] | undefined>>,
  ) => import("./error-detail.ts").ErrorDetail | undefined;
  /** Values that must never appear in what a caller sees. */
  readonly secrets: readonly string[];
  /** It still waits for a secret: what this resolves with is called in its place. */
  readonly pending?: Promise<BoundProvider>;
  /** What is said of the prices of a model where the provider is kept. */
  readonly pricing?: (model: string) => StoredPricing | undefined;
  /** The model behind a name it is asked for by, where that is a deployment's. */
  readonly modelBehind?: (name: string) => string;
  /**
   * Asks the vendor what model is behind a name, before a request is written for it; from then on `modelBehind` says it.
   * Undefined where nobody has to be asked. Never rejects: what cannot be found out is not known.
   */
  readonly findModel?: (name: string, vendor: () => import("./procedure.ts").Vendor) => Promise<void> | undefined;
  /** Throws `model_not_allowed` where it is not open to a model that is asked for in place of the one it was chosen for. */
  readonly allow?: (model: string) => void;
  /** Told that the vendor did not accept the credential. */
  readonly refused?: () => void;
  readonly clocks?: import("./route.ts").Clocks;
  /** The gateway itself: answers from it name no provider. */
  readonly itself?: boolean;
  /** No translation, no accounting: all client headers go on, bodies are untouched. */
  readonly raw?: boolean;
}

export interface SignableCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

/** One call to an upstream, ready to go. */
export interface UpstreamCall {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer | Readable | undefined;
  readonly untrustedHost: boolean;
}

/** What a transport tells of a call, in this order: `connected` → `headers` → `data`* → (`end` | `error`). */
export interface UpstreamListener {
  connected(): void;
  headers(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void;
  data(bytes: Buffer): void;
  /** The answer ended in order. */
  end(): void;
  /** The call failed; nothing follows. */
  error(cause: Error): void;
}

export interface UpstreamHandle {
  /** Stops the call; no event follows. */
  abort(): void;
  pause(): void;
  resume(): void;
  /** That with this call as many connections to its host are taken as there may be: it may have to wait for one. */
  readonly full?: boolean;
}

/** Carries calls out of the gateway. Undici is the default one; the simulator has its own. */
export interface Transport {
  send(call: UpstreamCall, listener: UpstreamListener): UpstreamHandle;
}
