import { setMaxListeners } from "node:events";
import type { WebSocket } from "ws";
import {
  closeReason,
  type Ending,
  GatewayError,
  gatewayErrorBody,
  type LeavingTime,
  type Logger,
  raise,
  type SocketSession,
  timerFor,
} from "../../core/index.ts";
import { type CreateEvent, clientEvent } from "./client-event.ts";
import type { SocketOptions } from "./options.ts";
import { errorEvent, inLane, unsteered } from "./server-event.ts";
import type { Turns } from "./turns.ts";

/** Codes of RFC 6455, section 7.4.1. */
const goingAway = 1001;
const dropped = 1006;
const policy = 1008;

/** What is asked next is answered by the config of then: no key, limit or guardrail of before holds on an open socket. */
const farewells: Readonly<Record<LeavingTime, string>> = {
  replaced: "The gateway's config has changed: connect again.",
  soon: "The gateway is shutting down.",
  now: "The gateway is shutting down.",
};

export interface SocketTalkInput {
  readonly client: WebSocket;
  readonly session: Pick<SocketSession, "onLeaving" | "refused">;
  readonly turns: Pick<Turns, "answer">;
  readonly options: Pick<
    SocketOptions,
    "messageBytes" | "bufferBytes" | "turns" | "pingInterval" | "credentialInterval"
  >;
  readonly log: Pick<Logger, "error">;
}

/** One client's socket: turns of one lane are answered one after the other, lanes beside each other. */
export class SocketTalk {
  readonly #input: SocketTalkInput;
  /** The last turn of each lane. */
  readonly #lanes = new Map<string | undefined, Promise<void>>();
  readonly #gone = new AbortController();
  #turns = 0;
  /** Bytes of the frames that asked for them. */
  #waiting = 0;
  /** Why nothing more is answered here. */
  #farewell: GatewayError | undefined;
  #holds = false;

  constructor(input: SocketTalkInput) {
    this.#input = input;
    // Each turn under way listens.
    setMaxListeners(input.options.turns, this.#gone.signal);
  }

  /** Resolves when the socket is closed, and nothing that was asked on it is under way. */
  async run(): Promise<Ending> {
    const { client, session, options } = this.#input;
    const closed = new Promise<number>((resolve) => client.once("close", resolve));
    client.on("message", (data: Buffer, isBinary) => this.#heard(data, isBinary));
    // What is wrong with it is told the client by the library: too long a frame is 1009.
    client.on("error", () => undefined);
    const timers = [
      setInterval(() => client.ping(), timerFor(options.pingInterval)),
      setInterval(() => void this.#lookAgain(), timerFor(options.credentialInterval)),
    ];
    for (const timer of timers) timer.unref();
    const forget = session.onLeaving((when) => this.#leave(when));
    const code = await closed;
    for (const timer of timers) clearInterval(timer);
    forget();
    this.#gone.abort();
    await Promise.all(this.#lanes.values());
    return code === dropped ? "client-gone" : "complete";
  }

  #heard(data: Buffer, isBinary: boolean): void {
    try {
      const event = clientEvent(data, isBinary);
      if (event.type === "response.steer") void this.#say(unsteered(event));
      else this.#take(event);
    } catch (error) {
      void this.#refuse(error, undefined);
    }
  }

  #take(event: CreateEvent): void {
    const { lane } = event;
    const { turns: most } = this.#input.options;
    if (this.#farewell) return void this.#refuse(this.#farewell, lane);
    if (this.#turns >= most)
      return void this.#refuse(
        new GatewayError("rate_limited", `More than ${most} turns of this socket wait: send them later.`),
        lane,
      );
    this.#turns++;
    this.#waiting += event.size;
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const done = before
      .then(() => this.#answer(event))
      .then(() => {
        this.#turns--;
        this.#waiting -= event.size;
        this.#pace();
        if (this.#lanes.get(lane) === done) this.#lanes.delete(lane);
        if (this.#farewell) this.#closeWhenQuiet();
      });
    this.#lanes.set(lane, done);
    this.#pace();
  }

  async #answer(event: CreateEvent): Promise<void> {
    const { signal } = this.#gone;
    if (signal.aborted) return;
    try {
      for await (const frame of this.#input.turns.answer(event, signal)) await this.#say(inLane(frame, event.lane));
    } catch (error) {
      if (!signal.aborted) await this.#refuse(error, event.lane);
    }
  }

  #refuse(cause: unknown, lane: string | undefined): Promise<void> {
    if (!(cause instanceof GatewayError)) this.#input.log.error("a turn of a socket failed", { error: cause });
    const error = cause instanceof GatewayError ? cause : new GatewayError("internal", "Something went wrong");
    return this.#say(inLane(errorEvent(error.status, gatewayErrorBody(error)), lane));
  }

  /** Resolves when the client has taken enough of what was said for more. */
  async #say(frame: string): Promise<void> {
    const { client, options } = this.#input;
    if (client.readyState !== client.OPEN) return;
    const sent = new Promise<void>((resolve) => client.send(frame, () => resolve()));
    if (client.bufferedAmount <= options.bufferBytes) return;
    this.#pace();
    await sent;
    this.#pace();
  }

  /** A client that takes nothing, or asks for more than can be answered, is not listened to any further. */
  #pace(): void {
    const { client, options } = this.#input;
    const isFull = client.bufferedAmount > options.bufferBytes || this.#waiting > options.messageBytes;
    if (isFull === this.#holds || client.readyState !== client.OPEN) return;
    this.#holds = isFull;
    if (isFull) client.pause();
    else client.resume();
  }

  #leave(when: LeavingTime): void {
    this.#farewell = new GatewayError("draining", farewells[when]);
    if (when === "now") this.#close();
    else this.#closeWhenQuiet();
  }

  /** Each turn is asked for with the credential of the handshake; a socket on which nothing is asked ends with it, too. */
  async #lookAgain(): Promise<void> {
    const refusal = await this.#input.session.refused();
    if (!refusal || this.#farewell) return;
    this.#farewell = refusal;
    this.#closeWhenQuiet();
  }

  #closeWhenQuiet(): void {
    if (this.#turns === 0) this.#close();
  }

  #close(): void {
    const { client } = this.#input;
    // One that is not read does not close either.
    if (this.#holds) client.resume();
    const { code, message } = this.#farewell ?? raise("internal", "A socket is closed for no reason.");
    if (code === "draining") return client.close(goingAway, message);
    void this.#refuse(this.#farewell, undefined);
    client.close(policy, closeReason(message));
  }
}
