import type { Timestamp } from "mongodb";
import type { ChangeSink, MongoConnection, RecordNotice } from "../../core/index.ts";
import { type Kept, prefix } from "./documents.ts";
import { pollOf } from "./poll.ts";
import { streamOf } from "./stream.ts";

/** One way to hear of changes, under way. */
export interface Following {
  stop(): Promise<void>;
}

/** What hears of them. */
export interface Hearing {
  /** The collections that somebody wants to hear of. */
  readonly collections: () => string[];
  change(notice: RecordNotice): void;
  /** Some may have been lost. */
  missed(): void;
  /** It cannot go on: somebody has to begin anew. */
  ended(): void;
}

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

/** What a write left of a document, as far as it is told. */
export type Left = Partial<Pick<Kept, "removed" | "version" | "updated">>;

/** What a document's key and state tell. */
export function noticeOf(collection: string, key: string, { removed, version, updated }: Left): RecordNotice {
  const end = key.indexOf("\n");
  const place = { collection: collection.slice(prefix.length), tenant: key.slice(0, end), id: key.slice(end + 1) };
  if (removed) return { ...place, kind: "removed" };
  const written = version !== undefined && updated && { version, updatedAt: updated.getTime() };
  return { ...place, kind: "written", ...(written && { written }) };
}
