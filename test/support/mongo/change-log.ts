import { type Document, Timestamp } from "bson";
import { aggregate } from "mingo";
import { CommandError, type Written } from "./collection.ts";

interface Entry {
  readonly at: number;
  readonly database: string;
  readonly event: Document;
}

const timestamp = (at: number): Timestamp => new Timestamp({ t: 1, i: at });

/** Everything that was written, in order, for change streams. */
export class ChangeLog {
  readonly #entries: Entry[] = [];
  readonly #waiting = new Set<() => void>();

  get operationTime(): Timestamp {
    return timestamp(this.#entries.length);
  }

  add(database: string, collection: string, written: Written): void {
    const at = this.#entries.length + 1;
    const event = {
      _id: { _data: `${at}` },
      clusterTime: timestamp(at),
      ns: { db: database, coll: collection },
      ...written,
    };
    this.#entries.push({ at, database, event });
    for (const wake of [...this.#waiting]) wake();
  }

  /** A cursor over what was written from the wanted place on. */
  follow(database: string, collection: string | undefined, pipeline: readonly Document[]): ChangeCursor {
    const [{ $changeStream: wanted = {} } = {}, ...stages] = pipeline;
    const token: Document | undefined = wanted.resumeAfter ?? wanted.startAfter;
    const time: Timestamp | undefined = wanted.startAtOperationTime;
    let next = this.#entries.length;
    if (token) next = Number(token._data);
    else if (time) next = Math.max(0, time.getLowBitsUnsigned() - 1);
    if (Number.isNaN(next)) throw new CommandError(286, "the resume point may no longer be in the oplog");
    return {
      take: () => {
        const fresh = this.#entries.slice(next).filter(({ event, ...entry }) => {
          return entry.database === database && (collection === undefined || event.ns.coll === collection);
        });
        next = this.#entries.length;
        const events = fresh.map(({ event }) => event);
        return { events: stages.length > 0 ? aggregate(events, stages) : events, token: { _data: `${next}` } };
      },
      wait: (milliseconds) => this.#something(milliseconds, () => next < this.#entries.length),
    };
  }

  #something(milliseconds: number, isThere: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#waiting.add(wake);
      if (isThere()) wake();
    });
  }
}

export interface ChangeCursor {
  take(): { readonly events: Document[]; readonly token: Document };
  /** Until something was written, or this long. */
  wait(milliseconds: number): Promise<void>;
}
