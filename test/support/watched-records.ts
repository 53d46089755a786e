import { resolve } from "node:path";
import { definePlugin, type RecordBackend, RecordError, Records, recordStore, z } from "../../core/index.ts";
import { FileBackend } from "../../plugins/records-file/file-backend.ts";

/** What tests watch of a store, and how they take it down. */
export interface Watched {
  /** Questions that were asked of it: what the data path must not do once it is warm. */
  reads: number;
  down: boolean;
}

const name = Symbol.for("sluice test: watched records");
const place = globalThis as unknown as Record<symbol, Watched>;
place[name] ??= { reads: 0, down: false };

/** Of the store that the config file under test names; its module may be another copy of this one. */
export const watched: Watched = place[name];

/** For tests: a file of records that counts what it is asked, and fails when it is told to. */
export default definePlugin({
  name: "watched-records",
  summary: "Keeps records in a file, watched by a test.",
  options: z.strictObject({}),
  provides: [Records],
  setup({ provide, onClose, log, folder }) {
    const file = new FileBackend({ path: resolve(folder, "records.db"), timeout: 10_000, pollInterval: 250 });
    const store = recordStore(watchedBackend(file), log);
    onClose(async () => {
      store.close();
      await file.close();
    });
    provide(Records, store);
  },
});

function watchedBackend(file: FileBackend): RecordBackend {
  const asked = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (watched.down) throw new RecordError("down", "the store is down");
    return ask();
  };
  const read = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    watched.reads++;
    return asked(ask);
  };
  return {
    get available() {
      return !watched.down;
    },
    shapes: () => asked(() => file.shapes()),
    shapeOf: (collection) => asked(() => file.shapeOf(collection)),
    keepShape: (...given) => asked(() => file.keepShape(...given)),
    get: (...given) => read(() => file.get(...given)),
    insert: (...given) => asked(() => file.insert(...given)),
    replace: (...given) => asked(() => file.replace(...given)),
    remove: (...given) => asked(() => file.remove(...given)),
    find: (...given) => read(() => file.find(...given)),
    count: (...given) => read(() => file.count(...given)),
    older: (...given) => asked(() => file.older(...given)),
    watch: (...given) => file.watch(...given),
  };
}
