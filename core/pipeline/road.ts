import type { HookName, Hooks, Wanted } from "../hooks.ts";
import type { ConnectionFor } from "../http/upstream/connections.ts";
import type { Clocks } from "../model/clocks.ts";
import type { Format } from "../model/format.ts";
import type { Logger } from "../model/logger.ts";
import type { ClientUpgrade } from "../model/socket.ts";
import type { Transport } from "../model/transport.ts";
import type { Leaving } from "./leaving.ts";

/** What the pipeline needs of its generation: set up once, read by every request. */
export interface Road {
  readonly hooks: Hooks;
  /** Which hooks anybody taps: what nobody taps is not even asked. */
  readonly used: Readonly<Record<HookName, boolean>>;
  /** Whether the taps of a hook want to see an exchange: nothing is decoded, or read, for those that do not. */
  readonly wants: Readonly<Record<"streamChunk" | "afterRequest" | "cost", Wanted>>;
  /** Whether a tap on `afterRequest` wants to see an exchange and does not make do with bytes. */
  readonly decodes: Wanted;
  /** Whether a tap on `cost` wants to see an exchange, and what it used. */
  readonly readsUsage: Wanted;
  readonly formats: ReadonlyMap<string, Format>;
  /** The formats that clients post in, by path: what lines of batches name. */
  readonly postFormats: ReadonlyMap<string, Format>;
  readonly transport: Transport;
  /** What connections that are made past the transport are made with. Throws `address_blocked`. */
  readonly connectionFor: ConnectionFor;
  /** Says when those who would stay for ever have to go. */
  readonly leaving: Leaving;
  /** Whether an address that an answer names may be called. */
  readonly acceptsHost: (url: string) => boolean;
  readonly log: Logger;
  readonly settings: RoadSettings;
}

export interface RoadSettings {
  readonly clocks: Clocks;
  /** Milliseconds for what a plugin does about a request. */
  readonly hookDeadline: number;
  /** Bytes of a JSON request body. */
  readonly jsonBodyBytes: number;
  /** Bytes of any other request body. */
  readonly uploadBodyBytes: number;
  /** Bytes of a whole upstream answer, and of one stream frame. */
  readonly upstreamBodyBytes: number;
  /** Milliseconds for a client to send its body. */
  readonly bodyTimeout: number;
  /** Milliseconds of silence after which a stream gets a comment; 0 is never. */
  readonly keepAliveComments: number;
  /** Extra client headers never passed on by raw endpoints, lower case. */
  readonly ignoredHeaders: readonly string[];
  /** The prefix of the gateway's own headers and its aliases, lower case. */
  readonly headerPrefixes: readonly [string, ...string[]];
}

/** The client's side of an exchange: where the answer goes. */
export interface ClientConnection {
  /** Sends status and headers; they leave with the first bytes. */
  head(status: number, headers: Record<string, string | string[] | number>): void;
  /** False asks to wait for `onDrain`. */
  write(piece: string | Buffer): boolean;
  end(piece?: string | Buffer): void;
  /** Called once, when the client can take more. */
  onDrain(listener: () => void): void;
  /** From here on `text` changes nothing wherever it stands between two writes: it may be sent to see who is there. */
  mayBeSent(text: string): void;
  /** Ends the connection without an orderly end of the answer. */
  destroy(): void;
  /** Hands over the connection of a client that asked for a websocket: nothing else is answered on it. */
  readonly takeOver?: ((headers: ClientUpgrade["headers"]) => ClientUpgrade) | undefined;
  readonly headSent: boolean;
}

/** The client's body, not yet read. */
export interface ClientBody {
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
  readonly stream: import("node:stream").Readable;
  /** Asks for the body, where the client waits to be asked (`expect: 100-continue`). */
  readonly invite?: (() => void) | undefined;
  /** Set once the stream was given to an upstream: it cannot be read again. */
  taken: boolean;
  /** The body itself, where it was read to be sent more than once. */
  bytes?: Buffer;
}
