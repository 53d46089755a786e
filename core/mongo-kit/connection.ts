import type { Db, MongoClient, MongoClientOptions } from "mongodb";
import { errorMessage } from "../errors/error-message.ts";
import type { Logger } from "../model/logger.ts";
import { percentDecoded } from "../percent-decoded.ts";
import { withDeadline } from "../time/deadline.ts";
import { timerFor } from "../time/longest-timer.ts";

export interface ConnectionOptions {
  /** With user and password: never printed. */
  readonly url: string;
  readonly database: string;
  /** Milliseconds a call may take. */
  readonly timeout: number;
  readonly log: Logger;
  /** The error of a call that was not done, in the words of whoever keeps something there. */
  readonly down: (reason: string) => Error;
}

/** Milliseconds between two questions whether the server is back. */
const probePause = 500;

/**
 * Calls with a deadline. After one that found no server, all fail at once until it has answered a ping. What the driver holds
 * is given up with the server: idle connections may be dead without a word, and a driver whose heartbeat was sent on a socket
 * that closed just then waits for its answer for ever, and finds no server again.
 */
export class Connection {
  readonly #make: () => MongoClient;
  readonly #name: string;
  #client: MongoClient;
  /** Those that were given up, until the calls that began with them have had their time. */
  readonly #leaving = new Map<MongoClient, NodeJS.Timeout>();
  readonly #timeout: number;
  readonly #log: Logger;
  readonly #down: ConnectionOptions["down"];
  /** Whether what an error says may be repeated. */
  readonly #url: string;
  #available = true;
  /** How often the server was found again. */
  #found = 0;
  #closed = false;
  #probe: NodeJS.Timeout | undefined;

  private constructor(make: () => MongoClient, { url, database, timeout, log, down }: ConnectionOptions) {
    this.#make = make;
    this.#client = make();
    this.#name = database;
    this.#timeout = timeout;
    this.#log = log;
    this.#down = down;
    this.#url = url;
  }

  /** Connects to nobody yet. Throws when the address is none, without repeating it. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const { MongoClient } = await import("mongodb");
    const { url, timeout } = options;
    const settings: MongoClientOptions = {
      appName: "sluice",
      serverSelectionTimeoutMS: timeout,
      connectTimeoutMS: timeout,
      // Longer than a change stream waits for news.
      socketTimeoutMS: Math.max(4 * timeout, 10_000),
      waitQueueTimeoutMS: timeout,
      readPreference: "primary",
      readConcern: { level: "majority" },
      writeConcern: { w: "majority", journal: true, wtimeoutMS: timeout },
    };
    try {
      return new Connection(() => new MongoClient(url, settings), options);
    } catch (error) {
      throw new Error(`The url of MongoDB cannot be used: ${withoutCredentials(error, url)}`);
    }
  }

  get database(): Db {
    return this.#client.db(this.#name);
  }

  get available(): boolean {
    return this.#available && !this.#closed;
  }

  /** Does one thing with the database. What it throws becomes a `down`. */
  async call<Result>(run: (database: Db) => Promise<Result>): Promise<Result> {
    if (!this.available) throw this.#down("MongoDB is not available");
    const found = this.#found;
    try {
      return await within(this.#timeout, run(this.database));
    } catch (error) {
      // One from before the last outage says nothing of now.
      if (!isAnswer(error) && !isUnsent(error) && found === this.#found) this.#lose(error);
      throw this.#down(`MongoDB: ${withoutCredentials(error, this.#url)}`);
    }
  }

  /** Ends the wait for something that is no call when it takes longer than one may, and so many milliseconds more. */
  inTime<Result>(promise: Promise<Result>, more = 0): Promise<Result> {
    return within(this.#timeout + more, promise);
  }

  /** Resolves once there is a server; rejects when there is none after so many milliseconds. */
  async waitFor(patience: number): Promise<void> {
    const until = performance.now() + patience;
    for (;;) {
      const left = Math.max(1, until - performance.now());
      try {
        await within(left, this.#ping());
        return;
      } catch (error) {
        const reason = withoutCredentials(error, this.#url);
        if (performance.now() >= until || isAnswer(error)) throw this.#down(`MongoDB cannot be used: ${reason}`);
        await within(probePause, new Promise<never>(() => undefined)).catch(() => undefined);
      }
    }
  }

  /** Asks whether there is a server, and goes on asking until there is. */
  seek(): void {
    if (!this.#closed) void this.#ask();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#probe);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    await Promise.all([this.#client, ...this.#leaving.keys()].map((client) => this.#end(client)));
  }

  #ping = () => this.#client.db("admin").command({ ping: 1 });

  #lose(error: unknown): void {
    if (!this.#available || this.#closed) return;
    this.#available = false;
    this.#log.warn("MongoDB is away", { reason: withoutCredentials(error, this.#url) });
    this.#renew();
    this.#askLater();
  }

  #renew(): void {
    const client = this.#client;
    this.#client = this.#make();
    const leave = () => {
      this.#leaving.delete(client);
      void this.#end(client);
    };
    this.#leaving.set(client, setTimeout(leave, timerFor(this.#timeout)).unref());
  }

  /** The driver says goodbye to the server, which may not listen. */
  #end(client: MongoClient): Promise<void> {
    return this.inTime(client.close()).catch(() => undefined);
  }

  #askLater(): void {
    if (!this.#closed) this.#probe = setTimeout(() => void this.#ask(), probePause).unref();
  }

  async #ask(): Promise<void> {
    try {
      await within(this.#timeout, this.#ping());
    } catch (error) {
      if (this.#available) return this.#lose(error);
      if (this.#closed) return;
      this.#renew();
      this.#askLater();
      return;
    }
    if (this.#available || this.#closed) return;
    this.#log.info("MongoDB is back");
    this.#found++;
    this.#available = true;
  }
}

/** The server has answered, if only to refuse: it is there. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "number" && !isNetwork(error);

/** The driver could not write it down, as something is too large: that says nothing of the server, which was not asked. */
const isUnsent = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && /^BSON|InvalidArgument/.test(error.name));

const isNetwork = (error: Error): boolean => /Network|Selection|Pool|Timeout|NotConnected|Closed/.test(error.name);

/** The driver's own error may hold the address, and a server's the document. */
function withoutCredentials(error: unknown, url: string): string {
  const text = errorMessage(error);
  const [, credentials = ""] = /^[a-z+]+:\/\/([^/]*)@/i.exec(url) ?? [];
  const hidden = credentials.split(":").flatMap((part) => [part, percentDecoded(part)]);
  return hidden.filter((part) => part !== "").reduce((clean, part) => clean.replaceAll(part, "***"), text);
}

function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  return withDeadline(promise, milliseconds, () => new Error(`no answer within ${Math.round(milliseconds)} ms`));
}
