import { setImmediate } from "node:timers/promises";
import {
  Cache,
  type CacheEntry,
  type CacheService,
  definePlugin,
  type Exchange,
  Stage,
  type VectorService,
  Vectors,
  z,
} from "../../core/index.ts";

/** What is seen of a gateway from inside. */
export class Told {
  /** By the id of the exchange. */
  readonly exchanges = new Map<string, Pick<Exchange, "cacheStatus" | "usage" | "cost" | "attempts">>();
  /** What was written last under a name, with whose it is. */
  readonly entries = new Map<string, { readonly entry: CacheEntry; readonly value: Buffer }>();
  store: CacheService | undefined;
  readonly #pending: Promise<unknown>[] = [];

  watch(store: CacheService, vectors: VectorService): void {
    this.store = store;
    if (watched.has(store)) return;
    watched.add(store);
    const { set, delete: remove } = store;
    const { add, nearest, delete: forget } = vectors;
    store.set = (entry, value, ttlSeconds) => {
      this.entries.set(`${entry.tenant} ${entry.key}`, { entry, value: Buffer.from(value) });
      return this.#seen(set.call(store, entry, value, ttlSeconds));
    };
    store.delete = (entry) => this.#seen(remove.call(store, entry));
    vectors.add = (...of) => this.#seen(add.apply(vectors, of));
    vectors.nearest = (...of) => this.#seen(nearest.apply(vectors, of));
    vectors.delete = (...of) => this.#seen(forget.apply(vectors, of));
  }

  /** Resolves when nothing is being written any more. */
  async written(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    while (this.#pending.length > 0) {
      await Promise.all(this.#pending.splice(0));
      for (let turn = 0; turn < 3; turn++) await setImmediate();
    }
  }

  #seen<Answer>(answer: Answer): Answer {
    if (answer instanceof Promise) this.#pending.push(answer);
    return answer;
  }
}

const watched = new WeakSet<CacheService>();

/** Plugins are modules of the tests' own process. */
export const told = new Told();

/** For tests: sees what is kept, and what exchanges come to. */
export default definePlugin({
  name: "observer",
  summary: "Sees what is kept, and what exchanges come to; for tests.",
  options: z.strictObject({}),
  needs: [Cache, Vectors],
  setup({ hooks, service }) {
    told.watch(service(Cache), service(Vectors));
    hooks.cost.tap({ name: "observer", stage: Stage.record }, ({ id, cacheStatus, usage, cost, attempts, role }) => {
      if (role === undefined) told.exchanges.set(id, { cacheStatus, usage, cost, attempts: [...attempts] } as Exchange);
    });
  },
});
