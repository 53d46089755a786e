import type { MongoConnection } from "../../core/index.ts";
import { type Kept, prefix } from "./documents.ts";
import { type Following, type Hearing, noticeOf } from "./notices.ts";

/** Milliseconds a write may take to show after the time it carries. */
const overlap = 5000;

const mostAtOnce = 1000;

type Seen = Pick<Kept, "_id" | "version" | "updated" | "removed" | "written">;

/** The changes as one finds them by looking what was written lately, by the server's clock. */
export function pollOf(connection: MongoConnection, from: Date, interval: number, hearing: Hearing): Following {
  const looks = new Map<string, Look>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  const round = async () => {
    for (const collection of hearing.collections()) {
      const look = looks.get(collection) ?? new Look(connection, prefix + collection, from);
      looks.set(collection, look);
      // What cannot be asked now is asked in the next round, from the same place.
      await look.round(hearing).catch(() => undefined);
    }
    if (!stopped) later();
  };
  const later = () => {
    timer = setTimeout(() => {
      looking = round();
    }, interval).unref();
  };
  later();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** How far one collection was looked through, and what of the time that is looked through again was told. */
class Look {
  readonly #connection: MongoConnection;
  readonly #collection: string;
  #told = new Map<string, number>();
  #until: number;

  constructor(connection: MongoConnection, collection: string, from: Date) {
    this.#connection = connection;
    this.#collection = collection;
    this.#until = from.getTime();
  }

  async round(hearing: Hearing): Promise<void> {
    const since = new Date(this.#until - overlap);
    const found = await this.#connection.call((database) =>
      database
        .collection<Kept>(this.#collection)
        .find({ written: { $gte: since } })
        .project<Seen>({ version: 1, updated: 1, removed: 1, written: 1 })
        .sort({ written: 1 })
        .limit(mostAtOnce)
        .toArray(),
    );
    for (const seen of found) {
      const { _id, version, removed, written } = seen;
      const name = `${written.getTime()} ${version} ${removed} ${_id}`;
      if (this.#told.has(name)) continue;
      this.#told.set(name, written.getTime());
      this.#until = Math.max(this.#until, written.getTime());
      hearing.change(noticeOf(this.#collection, _id, seen));
    }
    // With so many within the time that is looked through again, the next round would find the same ones.
    if (found.length === mostAtOnce) this.#skip(found, hearing);
    for (const [name, written] of this.#told) if (written < this.#until - overlap) this.#told.delete(name);
  }

  #skip(found: readonly Seen[], hearing: Hearing): void {
    const last = found.at(-1)?.written.getTime() ?? 0;
    this.#until = Math.max(this.#until, last + overlap);
    hearing.missed();
  }
}
