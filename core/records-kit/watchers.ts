import type { Logger } from "../model/logger.ts";
import type { RecordNotice } from "../services/records.ts";
import type { RecordBackend } from "./backend.ts";

interface Watcher {
  readonly listener: (change: RecordNotice) => void;
  readonly missed: () => void;
}

/** Who wants to hear of writes to one collection. The store is watched while there is somebody. */
export class Watchers {
  readonly #watchers = new Set<Watcher>();
  readonly #backend: RecordBackend;
  readonly #collection: string;
  readonly #log: Logger;
  #watch: ReturnType<RecordBackend["watch"]> | undefined;

  constructor(backend: RecordBackend, collection: string, log: Logger) {
    this.#backend = backend;
    this.#collection = collection;
    this.#log = log;
  }

  /** What a read waits for, so that it is not older than what is told. */
  get ready(): Promise<void> | undefined {
    return this.#watch?.ready;
  }

  add(listener: Watcher["listener"], missed: Watcher["missed"] = () => undefined): () => void {
    const watcher = { listener, missed };
    this.#watchers.add(watcher);
    this.#watch ??= this.#backend.watch(this.#collection, {
      change: (notice) => this.#tell((one) => one.listener(notice)),
      missed: () => this.#tell((one) => one.missed()),
    });
    return () => {
      if (!this.#watchers.delete(watcher) || this.#watchers.size > 0) return;
      this.stop();
    };
  }

  stop(): void {
    this.#watchers.clear();
    this.#watch?.stop();
    this.#watch = undefined;
  }

  #tell(tell: (watcher: Watcher) => void): void {
    for (const watcher of [...this.#watchers]) {
      try {
        tell(watcher);
      } catch (error) {
        this.#log.error("a listener of records failed", { collection: this.#collection, error });
      }
    }
  }
}
