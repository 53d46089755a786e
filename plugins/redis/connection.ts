import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Redis as Client } from "ioredis";
import {
  atMost,
  errorMessage,
  type Logger,
  type RedisArgument,
  type RedisService,
  timerFor,
} from "../../core/index.ts";
import { refusalIn } from "./refusals.ts";
import { Subscriptions } from "./subscriptions.ts";

export interface ClientOptions {
  readonly url: string;
  readonly commandTimeout: number;
  readonly connectTimeout: number;
  /** Absolute paths of PEM files. */
  readonly tls?: Readonly<Partial<Record<"ca" | "cert" | "key" | "servername", string | undefined>>> | undefined;
}

/** The longest wait between two tries to connect, in milliseconds. */
const longestPause = 2000;

/** A client that queues nothing: what cannot be sent now fails now. Not connected yet. */
export async function openClient({ url, commandTimeout, connectTimeout, tls }: ClientOptions): Promise<Client> {
  const { Redis } = await import("ioredis");
  const pem = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path));
  return new Redis(url, {
    lazyConnect: true,
    connectTimeout,
    // A connection that stays silent this long is taken for dead, whatever the operating system believes.
    socketTimeout: Math.max(4 * commandTimeout, 2000),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * 2 ** (times - 1), longestPause) * (0.5 + Math.random() / 2),
    protocol: 2,
    disableClientInfo: true,
    ...(tls && {
      tls: { ca: pem(tls.ca), cert: pem(tls.cert), key: pem(tls.key), servername: tls.servername },
    }),
  });
}

export interface ConnectionOptions {
  readonly keyPrefix: string;
  readonly commandTimeout: number;
  readonly log: Logger;
  /** Milliseconds between two looks whether Redis keeps something again. */
  readonly pause?: number | undefined;
}

/** After so many looks a connection that leads to a replica is made anew at the least: its address may lead elsewhere at any time. */
const mostLooks = 8;

const away = "Redis is away: going on without it";
const refuses = "Redis refuses to keep anything: going on without that";

/**
 * Commands with a deadline. After one was missed nothing is sent until Redis has answered a ping. Where one was refused
 * because Redis keeps nothing now, it is tried now and then whether it does again; where it has become a replica, over
 * another connection too, since an address may lead to another server by then: ever more seldom, as it may be meant to be one.
 */
export class RedisConnection implements RedisService {
  readonly keyPrefix: string;
  readonly #client: Client;
  readonly #commandTimeout: number;
  readonly #log: Logger;
  readonly #subscriptions: Subscriptions;
  readonly #digests = new Map<string, string>();
  readonly #pause: number;
  #stalled = false;
  /** By which code it refuses to keep anything. */
  #refusal: string | undefined;
  #later: NodeJS.Timeout | undefined;
  /** How often it was looked in a row whether a replica still is one. */
  #looks = 0;
  #closing = false;
  /** Whether the log has been told that Redis is away. */
  #lamented = false;

  constructor(client: Client, { keyPrefix, commandTimeout, log, pause = longestPause }: ConnectionOptions) {
    this.keyPrefix = keyPrefix;
    this.#client = client;
    this.#commandTimeout = commandTimeout;
    this.#log = log;
    this.#pause = pause;
    this.#subscriptions = new Subscriptions(client, log);
    client.on("ready", () => this.#recovered());
    client.on("error", (error: Error) => this.#lament(away, error.message));
    client.on("close", () => this.#lament(away, "the connection was closed"));
  }

  get available(): boolean {
    return this.#client.status === "ready" && !this.#stalled && !this.#closing;
  }

  get keeps(): boolean {
    return this.available && this.#refusal === undefined;
  }

  /** Begins to connect, and goes on trying. Resolves when the first try is over, or has taken as long as a command may. */
  async open(): Promise<void> {
    // What goes wrong is told by the "error" event as well.
    await atMost(this.#commandTimeout, this.#client.connect().catch(ignore));
  }

  command(name: string, ...args: readonly RedisArgument[]): Promise<unknown> {
    if (!this.available) return Promise.reject(new Error("Redis is not available."));
    return this.#timed(this.#client.callBuffer(name, ...args));
  }

  async script(source: string, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown> {
    try {
      return await this.command("EVALSHA", this.#digestOf(source), keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return this.command("EVAL", source, keys.length, ...keys, ...args);
    }
  }

  subscribe(channel: string, listener: (message: Buffer) => void): () => void {
    return this.#subscriptions.add(channel, listener);
  }

  /** Lets commands under way end, within their deadline. */
  async close(): Promise<void> {
    const wasAvailable = this.available;
    this.#closing = true;
    clearTimeout(this.#later);
    this.#subscriptions.close();
    if (wasAvailable) await this.#timed(this.#client.quit()).catch(ignore);
    this.#client.disconnect();
  }

  #timed(sent: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let answered = false;
      const late = () => {
        if (answered) return;
        this.#stall();
        reject(new Error(`Redis did not answer within ${this.#commandTimeout} ms.`));
      };
      // Timers come before what was received meanwhile: where this process was the slow one, the answer is there already.
      const timer = setTimeout(() => setImmediate(late), timerFor(this.#commandTimeout));
      sent.then(
        (value) => {
          answered = true;
          clearTimeout(timer);
          resolve(value);
        },
        (error: Error) => {
          answered = true;
          clearTimeout(timer);
          this.#noticed(error.message);
          // The client's own error holds the command with its arguments, which are nobody's to print.
          reject(new Error(error.message));
        },
      );
    });
  }

  #stall(): void {
    if (this.#stalled || this.#closing) return;
    this.#stalled = true;
    this.#lament(away, `no answer within ${this.#commandTimeout} ms`);
    // Answers come in order: this one says that the slow command is over.
    this.#client.ping().then(() => this.#recovered(), ignore);
  }

  #noticed(error: string): void {
    const code = refusalIn(error);
    if (code === undefined || this.#refusal !== undefined || this.#closing) return;
    this.#refusal = code;
    this.#lament(refuses, error);
    if (code === "READONLY") this.#connectAnew();
    else this.#lookLater();
  }

  #connectAnew(): void {
    this.#client.disconnect(true);
    this.#subscriptions.connectAnew();
  }

  #lookLater(): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.#look(), this.#pause).unref();
  }

  #look(): void {
    // A connection that is not there looks when it is.
    if (this.#closing || this.#client.status !== "ready") return;
    if (this.#refusal === "READONLY" && isTurnOfConnection(++this.#looks)) this.#connectAnew();
    else void this.#tryToKeep();
  }

  /** Redis keeps something again where it keeps this, for as long as it may take to be asked. */
  async #tryToKeep(): Promise<void> {
    try {
      await this.#timed(this.#client.set(`${this.keyPrefix}probe`, 1, "PX", this.#commandTimeout));
    } catch (error) {
      this.#refusal = refusalIn(errorMessage(error)) ?? this.#refusal;
      return this.#lookLater();
    }
    this.#refusal = undefined;
    this.#looks = 0;
    this.#recovered();
  }

  #recovered(): void {
    this.#stalled = false;
    if (this.#refusal !== undefined) return void this.#tryToKeep();
    if (!this.#lamented) return;
    this.#lamented = false;
    this.#log.info("Redis is back");
  }

  #lament(message: string, reason: string): void {
    if (this.#lamented || this.#closing) return;
    this.#lamented = true;
    this.#log.warn(message, { reason });
  }

  #digestOf(source: string): string {
    const known = this.#digests.get(source);
    if (known !== undefined) return known;
    const digest = createHash("sha1").update(source).digest("hex");
    this.#digests.set(source, digest);
    return digest;
  }
}

/** A failover is over in seconds: the 1st, the 2nd and the 4th look, and from there on one of so many. */
const isTurnOfConnection = (look: number): boolean =>
  look <= mostLooks ? (look & (look - 1)) === 0 : look % mostLooks === 0;

const ignore = () => {};
