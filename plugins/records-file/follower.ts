import { type ChangeSink, timerFor } from "../../core/index.ts";
import type { Reader } from "./reader.ts";

const mostAtOnce = 1000;

/** Reads the log of changes from where it ended, for as long as somebody wants to hear of them. */
export class Follower {
  readonly #reader: Reader;
  readonly #interval: number;
  readonly #sinks = new Map<string, Set<ChangeSink>>();
  #timer: NodeJS.Timeout | undefined;
  #dataVersion = 0;
  #told = 0;

  constructor(reader: Reader, interval: number) {
    this.#reader = reader;
    this.#interval = interval;
  }

  /** What is written from now on is told. */
  add(collection: string, sink: ChangeSink): void {
    if (this.#timer) this.look();
    else this.#begin();
    const sinks = this.#sinks.get(collection) ?? new Set();
    this.#sinks.set(collection, sinks.add(sink));
  }

  remove(collection: string, sink: ChangeSink): void {
    const sinks = this.#sinks.get(collection);
    sinks?.delete(sink);
    if (sinks?.size === 0) this.#sinks.delete(collection);
    if (this.#sinks.size === 0) this.stop();
  }

  /** Tells what is new. Called by the timer, after own writes, and when the bus says that others have written. */
  look(): void {
    if (!this.#timer) return;
    const dataVersion = this.#reader.dataVersion();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    for (;;) {
      const last = this.#reader.lastChange();
      if (last === this.#told) return;
      const rows = this.#reader.changesAfter(this.#told, mostAtOnce);
      const [first] = rows;
      // The log is kept for a while only, and a file may be put in the place of another.
      if (first?.sequence !== this.#told + 1) this.#tellAll();
      for (const { collection, tenant, id, removed } of rows)
        for (const sink of this.#sinks.get(collection) ?? [])
          sink.change({ collection, tenant, id, kind: removed ? "removed" : "written" });
      this.#told = rows.at(-1)?.sequence ?? last;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    this.#dataVersion = this.#reader.dataVersion();
    this.#told = this.#reader.lastChange();
    this.#timer = setInterval(() => this.#lookQuietly(), timerFor(this.#interval)).unref();
  }

  /** Whatever is wrong with the file, the next read says it. */
  #lookQuietly(): void {
    try {
      this.look();
    } catch {
      this.#dataVersion = 0;
    }
  }

  #tellAll(): void {
    for (const sinks of this.#sinks.values()) for (const sink of sinks) sink.missed();
  }
}
