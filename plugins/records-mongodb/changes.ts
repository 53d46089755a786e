import type { Timestamp } from "mongodb";
import type { ChangeSink, MongoConnection } from "../../core/index.ts";
import type { Following, Hearing } from "./notices.ts";
import { pollOf } from "./poll.ts";
import { streamOf } from "./stream.ts";

const retryPause = 500;

/** Follows the changes of a database while somebody wants to hear of them: as the server tells them, or else by looking. */
export class Changes {
  readonly #connection: MongoConnection;
  readonly #pollInterval: number;
  readonly #sinks = new Map<string, Set<ChangeSink>>();
  #beginning: Promise<void> | undefined;
  #following: Following | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(connection: MongoConnection, pollInterval: number) {
    this.#connection = connection;
    this.#pollInterval = pollInterval;
  }

  watch(collection: string, sink: ChangeSink): { readonly ready: Promise<void>; stop(): void } {
    const sinks = this.#sinks.get(collection) ?? new Set();
    this.#sinks.set(collection, sinks.add(sink));
    this.#beginning ??= this.#begin(false);
    return {
      ready: this.#beginning,
      stop: () => {
        sinks.delete(sink);
        if (sinks.size === 0 && this.#sinks.get(collection) === sinks) this.#sinks.delete(collection);
        if (this.#sinks.size === 0) void this.close();
      },
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    const [beginning, following] = [this.#beginning, this.#following];
    this.#sinks.clear();
    this.#beginning = undefined;
    this.#following = undefined;
    await Promise.all([beginning, following?.stop()]);
  }

  /** Where to begin is asked of the server before the first read, so that nothing lies between the two. */
  async #begin(again: boolean): Promise<void> {
    try {
      const { operationTime, localTime } = await this.#connection.call(async (database): Promise<ServerTimes> => {
        const { localTime } = await database.admin().command({ hello: 1 });
        const { operationTime } = await database.admin().command({ ping: 1 });
        return { localTime, operationTime };
      });
      if (this.#sinks.size === 0) return;
      this.#following = operationTime
        ? streamOf(this.#connection, operationTime, this.#hearing())
        : pollOf(this.#connection, localTime ?? new Date(0), this.#pollInterval, this.#hearing());
      if (again) this.#missed();
    } catch {
      this.#beginLater();
    }
  }

  #beginLater(): void {
    this.#following = undefined;
    if (this.#sinks.size === 0) return;
    this.#retry = setTimeout(() => void this.#begin(true), retryPause).unref();
  }

  #hearing(): Hearing {
    return {
      collections: () => [...this.#sinks.keys()],
      change: (notice) => {
        for (const sink of this.#sinks.get(notice.collection) ?? []) sink.change(notice);
      },
      missed: () => this.#missed(),
      ended: () => this.#beginLater(),
    };
  }

  #missed(): void {
    for (const sinks of this.#sinks.values()) for (const sink of sinks) sink.missed();
  }
}

interface ServerTimes {
  /** Only where there are change streams. */
  readonly operationTime?: Timestamp;
  readonly localTime?: Date;
}
