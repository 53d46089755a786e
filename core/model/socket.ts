import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import type { GatewayError } from "../errors/gateway-error.ts";
import type { Ending, Exchange } from "./exchange.ts";
import type { Headers } from "./headers.ts";
import type { Usage } from "./usage.ts";

/**
 * What an endpoint does whose clients ask for a websocket: one is opened at the provider first, then the client gets its
 * own, and both are carried until they close. The handshake is admitted, routed and recorded like any other request.
 */
export interface SocketEndpoint {
  /** The headers of a client that cannot set any and says elsewhere what belongs there. `prefix` is the gateway's own. */
  headers?(headers: IncomingHttpHeaders, prefix: string): IncomingHttpHeaders;
  /**
   * Opens the provider's end, nothing of which is read yet. Rejects with a GatewayError. It has as long as the attempt
   * (`clocks.total`, `request_timeout`): then the signal gives it up, the client gets a 408, and what opens later is abandoned.
   */
  open(call: SocketCall, exchange: Exchange): Promise<OpenSocket>;
}

/** A websocket to be opened at a provider. */
export interface SocketCall {
  /** `wss://host/path?query`. */
  readonly url: string;
  readonly headers: Headers;
  /** What its connection has to be made with, until the signal gives it up. Throws `address_blocked`. */
  connection(givenUp: AbortSignal): SocketConnection;
  /** The client is gone, or the time is up. */
  readonly signal: AbortSignal;
  /** To be called when the provider answers the handshake, whatever it says: only who opens the socket knows. */
  answered(): void;
}

/**
 * Options of node's `http.request` and of `ws`: a lookup that gives addresses which may be called and the authorities to
 * believe, or what connects through a proxy.
 */
export type SocketConnection =
  | { readonly lookup: LookupFunction; readonly secureContext?: SecureContext }
  | { readonly createConnection: NonNullable<RequestOptions["createConnection"]> };

/** A provider's end that is open. */
export interface OpenSocket {
  /** Takes the client in and moves what comes, both ways; resolves when both ends are closed. */
  carry(client: ClientUpgrade, session: SocketSession): Promise<Ending>;
  /** Closes it: there is no client for it. */
  abandon(): void;
}

/**
 * What an endpoint does whose clients ask for a websocket at which the gateway itself is whom they talk to. The handshake is admitted
 * like any other request, and asks nobody.
 */
export interface TalkEndpoint {
  /** As of a `SocketEndpoint`. */
  headers?(headers: IncomingHttpHeaders, prefix: string): IncomingHttpHeaders;
  /** Refuses a handshake with a GatewayError, or says how it goes on. As `serve`, it has `server.hookDeadline` to settle. */
  begin(exchange: Exchange): Talk | Promise<Talk>;
}

/** A talk that has not begun. */
export interface Talk {
  /** Takes the client in; resolves when its socket is closed. */
  carry(client: ClientUpgrade, session: Pick<SocketSession, "onLeaving" | "refused">): Promise<Ending>;
}

/** A client's request for a websocket, and the connection it came on. Whoever has it answers it. */
export interface ClientUpgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** What the client sent after its request. */
  readonly head: Buffer;
  /** Headers for the answer. */
  readonly headers: Readonly<Record<string, string | string[] | number>>;
}

/**
 * Why and when clients are to go: where the config they came under is `replaced` by another, whoever can come again goes when
 * it has what it waits for, `soon` all do where the gateway ends, and `now` nobody stays.
 */
export type LeavingTime = "replaced" | "soon" | "now";

/** What whoever carries a socket can ask of the gateway meanwhile. */
export interface SocketSession {
  /** Whether anybody prices, counts or records what happens. */
  readonly watched: boolean;
  /** Milliseconds since the handshake arrived. */
  elapsed(): number;
  /** Has something that happened priced, counted and recorded, as an exchange of its own (`role` turn). Never rejects. */
  record(moment: SocketMoment): Promise<void>;
  /** What the session would be refused with by now, where its budgets are used up. Never rejects. */
  exhausted(): Promise<GatewayError | undefined>;
  /**
   * What whoever has the socket would be refused with by now, where the credential of the handshake lets nobody in any more, or no
   * longer here. Never rejects: what cannot be found out refuses nobody.
   */
  refused(): Promise<GatewayError | undefined>;
  /** Calls `listener` when clients are to go (at once if they are already); the result takes it off again. */
  onLeaving(listener: (when: LeavingTime) => void): () => void;
}

/** Something that happened on a socket. */
export interface SocketMoment {
  /** The vendor's name for it. */
  readonly event: string;
  /** Milliseconds since the handshake arrived, where it took a while. */
  readonly startedAt?: number;
  /** As the status of an answer would be. */
  readonly status: number;
  /** Whose doing it was that it broke off, where it did. */
  readonly brokeOffBy?: "client" | "vendor" | "gateway" | undefined;
  /** The model whose work it was, where that is another than the socket's. */
  readonly model?: string | undefined;
  /** JSON: what it was asked with, and what came of it. */
  readonly request?: unknown;
  readonly response: unknown;
  readonly usage?: Usage | undefined;
}
