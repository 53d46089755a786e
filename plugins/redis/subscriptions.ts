import type { Redis as Client } from "ioredis";
import type { Logger } from "../../core/index.ts";

type Listener = (message: Buffer) => void;

/** Who listens to which channel, on a connection of its own that is made when the first one does. */
export class Subscriptions {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #commands: Client;
  readonly #log: Logger;
  #client: Client | undefined;

  constructor(commands: Client, log: Logger) {
    this.#commands = commands;
    this.#log = log;
  }

  add(channel: string, listener: Listener): () => void {
    const known = this.#listeners.get(channel);
    // A function of its own, so that who listens twice is told twice.
    const own: Listener = (message) => listener(message);
    if (known) known.add(own);
    else {
      this.#listeners.set(channel, new Set([own]));
      this.#send("subscribe", channel);
    }
    return () => this.#remove(channel, own);
  }

  /** To whoever answers at the address by now; what is said meanwhile is lost. */
  connectAnew(): void {
    this.#client?.disconnect(true);
  }

  close(): void {
    this.#client?.disconnect();
    this.#listeners.clear();
  }

  #remove(channel: string, listener: Listener): void {
    const listeners = this.#listeners.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.#listeners.delete(channel);
    this.#send("unsubscribe", channel);
  }

  /** Without a connection nothing is sent: all channels are subscribed to whenever there is a new one. */
  #send(command: "subscribe" | "unsubscribe", ...channels: string[]): void {
    const client = this.#connection();
    if (client.status === "ready" && channels.length > 0) client[command](...channels).catch(ignore);
  }

  #connection(): Client {
    if (this.#client) return this.#client;
    const client = this.#commands.duplicate();
    this.#client = client;
    client.on("ready", () => this.#send("subscribe", ...this.#listeners.keys()));
    client.on("messageBuffer", (channel: Buffer, message: Buffer) => this.#deliver(channel.toString(), message));
    // The other connection fares the same, and says so.
    client.on("error", ignore);
    client.connect().catch(ignore);
    return client;
  }

  #deliver(channel: string, message: Buffer): void {
    for (const listener of this.#listeners.get(channel) ?? []) {
      try {
        listener(message);
      } catch (error) {
        this.#log.error("a listener failed", { channel, error });
      }
    }
  }
}

const ignore = () => {};
