import type { RawData, WebSocket } from "ws";
import { type Ending, type LeavingTime, type SocketSession, timerFor } from "../../../core/index.ts";
import type { Watcher } from "../events/watcher.ts";
import type { RealtimeOptions } from "../options.ts";
import { Direction } from "./direction.ts";

/** Codes of RFC 6455, section 7.4.1. */
const plain = 1000;
const goingAway = 1001;
const none = 1005;
const dropped = 1006;
const policy = 1008;
const failed = 1011;

export interface RelayInput {
  readonly client: WebSocket;
  readonly upstream: WebSocket;
  readonly session: SocketSession;
  /** Absent where nobody wants to know what passes. */
  readonly watcher: Watcher | undefined;
  readonly options: Pick<RealtimeOptions, "bufferBytes" | "pingInterval">;
}

/** Two sockets that are one conversation: what one side sends or ends with, the other gets. */
export class Relay {
  readonly #input: RelayInput;
  /** How the client is to be closed once nobody waits for an answer. */
  #goodbye: { readonly code: number; readonly reason: string } | undefined;
  #ending: Ending | undefined;

  constructor(input: RelayInput) {
    this.#input = input;
  }

  /** Resolves when both sides are closed. */
  async run(): Promise<Ending> {
    const { client, upstream, session, watcher, options } = this.#input;
    const closed = Promise.all([closing(client), closing(upstream)]);
    new Direction(client, upstream, options.bufferBytes, undefined);
    new Direction(upstream, client, options.bufferBytes, watcher && ((data, isBinary) => this.#saw(data, isBinary)));
    client.on("close", (code, reason) => this.#mirror(upstream, code, reason, plain, "client-gone"));
    upstream.on("close", (code, reason) => this.#mirror(client, code, reason, failed, "truncated"));
    client.on("error", () => this.#failed(upstream));
    upstream.on("error", () => this.#failed(client));
    const pings = setInterval(() => this.#ping(), timerFor(options.pingInterval));
    pings.unref();
    const forget = session.onLeaving((when) => this.#leave(when));
    upstream.resume();
    await closed;
    forget();
    clearInterval(pings);
    return this.#ending ?? "complete";
  }

  /** Closes both with `code` as soon as no answer is under way. */
  #closeWhenQuiet(code: number, reason: string): void {
    this.#goodbye ??= { code, reason };
    if (!this.#input.watcher?.isAnswering) this.#close();
  }

  #close({ code, reason } = this.#goodbye ?? { code: plain, reason: "" }): void {
    const { client, upstream } = this.#input;
    this.#ending ??= "complete";
    // One that is not read does not close either.
    client.resume();
    upstream.resume();
    client.close(code, reason);
    upstream.close(plain);
  }

  #saw(data: RawData, isBinary: boolean): void {
    const { watcher, session } = this.#input;
    if (isBinary || !Buffer.isBuffer(data)) return;
    const recorded = watcher?.saw(data);
    if (recorded) void recorded.then(() => session.exhausted()).then((refusal) => refusal && this.#refuse(refusal));
    if (this.#goodbye && !watcher?.isAnswering) this.#close();
  }

  /** A reason is at most 123 bytes long (RFC 6455, section 5.5). */
  #refuse({ message }: Error): void {
    this.#closeWhenQuiet(policy, message.replace(/[^\x20-\x7e]/g, "?").slice(0, 123));
  }

  #leave(when: LeavingTime): void {
    // What was said so far is with the vendor, on this session: a new one would know nothing of it.
    if (when === "replaced") return;
    this.#goodbye ??= { code: goingAway, reason: "The gateway is shutting down." };
    if (when === "now" || !this.#input.watcher?.isAnswering) this.#close();
    if (when === "now") this.#input.upstream.terminate();
  }

  #mirror(to: WebSocket, code: number, reason: Buffer, whenDropped: number, whatThen: Ending): void {
    if (code === dropped) this.#ending ??= whatThen;
    this.#ending ??= "complete";
    to.resume();
    if (code === none) to.close();
    else if (code === dropped) to.close(whenDropped);
    else to.close(code, reason);
  }

  /** What is wrong with one side is told that side by the library: too long a frame is 1009. */
  #failed(other: WebSocket): void {
    this.#ending ??= "error";
    other.close(failed);
  }

  #ping(): void {
    const { client, upstream } = this.#input;
    for (const one of [client, upstream]) if (one.readyState === one.OPEN) one.ping();
  }
}

/** A socket that is closed already says so no more. */
const closing = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) resolve();
    else socket.once("close", () => resolve());
  });
