import { randomUUID } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import {
  closeReason,
  type Ending,
  type GatewayError,
  gatewayErrorBody,
  type LeavingTime,
  type SocketSession,
  timerFor,
} from "../../../core/index.ts";
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

type Side = "client" | "vendor";

export interface RelayInput {
  readonly client: WebSocket;
  readonly upstream: WebSocket;
  readonly session: SocketSession;
  /** Absent where nobody wants to know what passes. */
  readonly watcher: Watcher | undefined;
  readonly options: Pick<RealtimeOptions, "bufferBytes" | "pingInterval" | "credentialInterval">;
}

/** How a client is told that its session is over. */
interface Goodbye {
  readonly code: number;
  readonly reason: string;
  /** What it is told before. */
  readonly event?: string;
}

/** Two sockets that are one conversation: what one side sends or ends with, the other gets. */
export class Relay {
  readonly #input: RelayInput;
  /** How the client is to be closed once nobody waits for an answer. */
  #goodbye: Goodbye | undefined;
  #ending: Ending | undefined;
  /** Who ended it. */
  #endedBy: Side | "gateway" | undefined;
  /** The credential that it was opened with lets nobody in any more. */
  #isBarred = false;

  constructor(input: RelayInput) {
    this.#input = input;
  }

  /** Resolves when both sides are closed. */
  async run(): Promise<Ending> {
    const { client, upstream, session, watcher, options } = this.#input;
    const closed = Promise.all([closing(client), closing(upstream)]);
    new Direction(client, upstream, options.bufferBytes, undefined);
    new Direction(upstream, client, options.bufferBytes, watcher && ((data, isBinary) => this.#saw(data, isBinary)));
    client.on("close", (code, reason) => this.#mirror("client", code, reason));
    upstream.on("close", (code, reason) => this.#mirror("vendor", code, reason));
    client.on("error", () => this.#failed("client"));
    upstream.on("error", () => this.#failed("vendor"));
    const timers = [
      setInterval(() => this.#ping(), timerFor(options.pingInterval)),
      setInterval(() => this.#look(), timerFor(options.credentialInterval)),
    ];
    for (const timer of timers) timer.unref();
    const forget = session.onLeaving((when) => this.#leave(when));
    upstream.resume();
    await closed;
    forget();
    for (const timer of timers) clearInterval(timer);
    watcher?.over(this.#endedBy ?? "gateway");
    return this.#ending ?? "complete";
  }

  /** Closes both as soon as no answer is under way that is by now: one that begins later is not waited for. */
  #bid(goodbye: Goodbye): void {
    const { watcher } = this.#input;
    this.#goodbye ??= goodbye;
    watcher?.lastCall();
    if (!watcher?.isAnswering) this.#close();
  }

  #close({ code, reason, event }: Goodbye = this.#goodbye ?? { code: plain, reason: "" }): void {
    const { client, upstream } = this.#input;
    this.#ending ??= "complete";
    this.#endedBy ??= "gateway";
    if (event !== undefined && client.readyState === client.OPEN) client.send(event);
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
    if (recorded) {
      void recorded.then(() => session.exhausted()).then((refusal) => refusal && this.#bid(refusedWith(refusal)));
      void this.#lookAgain();
    }
    if (this.#goodbye && !watcher?.isAnswering) this.#close();
  }

  /** An answer under way when the credential turned out to hold no more has had its time by the next look. */
  #look(): void {
    if (this.#isBarred) this.#close();
    else void this.#lookAgain();
  }

  async #lookAgain(): Promise<void> {
    const refusal = await this.#input.session.refused();
    if (!refusal || this.#isBarred) return;
    this.#isBarred = true;
    this.#bid({ ...refusedWith(refusal), event: errorEvent(refusal) });
  }

  #leave(when: LeavingTime): void {
    // What was said so far is with the vendor, on this session: a new one would know nothing of it.
    if (when === "replaced") return;
    this.#bid({ code: goingAway, reason: "The gateway is shutting down." });
    if (when !== "now") return;
    this.#close();
    this.#input.upstream.terminate();
  }

  /** One side is closed. */
  #mirror(side: Side, code: number, reason: Buffer): void {
    const isClients = side === "client";
    const to = isClients ? this.#input.upstream : this.#input.client;
    if (code === dropped) this.#ending ??= isClients ? "client-gone" : "truncated";
    this.#ending ??= "complete";
    this.#endedBy ??= side;
    to.resume();
    if (code === none) to.close();
    else if (code === dropped) to.close(isClients ? plain : failed);
    else to.close(code, reason);
  }

  /** What is wrong with one side is told that side by the library: too long a frame is 1009. */
  #failed(side: Side): void {
    this.#ending ??= "error";
    this.#endedBy ??= side;
    const other = side === "client" ? this.#input.upstream : this.#input.client;
    other.close(failed);
  }

  #ping(): void {
    const { client, upstream } = this.#input;
    for (const one of [client, upstream]) if (one.readyState === one.OPEN) one.ping();
  }
}

const refusedWith = ({ message }: Error): Goodbye => ({ code: policy, reason: closeReason(message) });

/** As vendors say what is wrong. */
const errorEvent = (refusal: GatewayError): string =>
  JSON.stringify({ type: "error", event_id: `event_${randomUUID()}`, error: gatewayErrorBody(refusal).error });

/** A socket that is closed already says so no more. */
const closing = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) resolve();
    else socket.once("close", () => resolve());
  });
