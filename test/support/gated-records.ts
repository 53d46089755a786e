import { join } from "node:path";
import { definePlugin, type RecordBackend, Records, recordStore, z } from "../../core/index.ts";
import { FileBackend } from "../../plugins/records-file/file-backend.ts";

/** What is done just before a collection is written to: what somebody else does at that very moment. */
export interface Gate {
  before: (collection: string) => Promise<unknown> | undefined;
}

const name = Symbol.for("sluice test: gated records");
const place = globalThis as unknown as Record<symbol, Gate>;
place[name] ??= { before: () => undefined };

/** Of the store that the config file under test names; its module may be another copy of this one. */
const gate: Gate = place[name];

/** The next write to a collection waits until something else is done; what that gave. */
export function beforeWriteTo<Done>(collection: string, act: () => Promise<Done>): Promise<Done> {
  return new Promise((resolve, reject) => {
    gate.before = (written) => {
      if (written !== collection) return undefined;
      gate.before = () => undefined;
      return act().then(resolve, reject);
    };
  });
}

/** The next writes to a collection, so many of them, wait until all of them are about to be done. */
export function meetBeforeWritingTo(collection: string, count: number): void {
  let waiting = 0;
  let go = () => {};
  const allThere = new Promise<void>((resolve) => {
    go = resolve;
  });
  gate.before = (written) => {
    if (written !== collection) return undefined;
    if (++waiting < count) return allThere;
    gate.before = () => undefined;
    go();
    return undefined;
  };
}

/** For tests: a file of records whose writes wait where a test wants them to. */
export default definePlugin({
  name: "gated-records",
  summary: "Keeps records in a file, for tests of what happens at the same time.",
  options: z.strictObject({}),
  provides: [Records],
  setup({ provide, onClose, log, folder }) {
    const file = new FileBackend({ path: join(folder, "records.db"), timeout: 10_000, pollInterval: 250 });
    const store = recordStore(gatedBackend(file), log);
    onClose(async () => {
      store.close();
      await file.close();
    });
    provide(Records, store);
  },
});

function gatedBackend(file: FileBackend): RecordBackend {
  const written = async <Answer>(collection: string, write: () => Promise<Answer>): Promise<Answer> => {
    await gate.before(collection);
    return write();
  };
  return {
    available: true,
    shapes: () => file.shapes(),
    shapeOf: (collection) => file.shapeOf(collection),
    keepShape: (...given) => file.keepShape(...given),
    get: (...given) => file.get(...given),
    insert: (...given) => written(given[0], () => file.insert(...given)),
    replace: (...given) => written(given[0], () => file.replace(...given)),
    remove: (...given) => written(given[0], () => file.remove(...given)),
    find: (...given) => file.find(...given),
    count: (...given) => file.count(...given),
    older: (...given) => file.older(...given),
    watch: (...given) => file.watch(...given),
  };
}
