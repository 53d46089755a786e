import type { Readable } from "node:stream";
import type { Headers } from "./headers.ts";

export interface SignableCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
  /** A body comes that is not known yet, an upload: no signature can cover it. */
  readonly streamed?: true;
  /** What the caller says of the request, for vendors whose credentials can carry it. */
  readonly metadata?: Readonly<Record<string, string>>;
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
