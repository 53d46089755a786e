import { AgedMap } from "../keeping/aged-map.ts";
import type { Logger } from "../model/logger.ts";
import { type RecordCollection, RecordError } from "../services/records.ts";

/** Jobs and files remembered in this process. */
const mostRemembered = 10_000;

/** What a deployment remembers of something, by keys, whichever of its plugins asks: the last that was met, in this process. */
export class Remembered<Value> {
  readonly #values = new AgedMap<string, Value>();

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    if (this.#values.size > mostRemembered) this.#values.shift();
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}

/** Where something is kept: whose it is, and under which key. */
export interface Place {
  readonly tenant: string;
  readonly id: string;
}

export interface RecollectionInput<Document extends object> {
  readonly remembered: Remembered<Document>;
  /** Absent where there are no records: then only this process knows. */
  readonly records: RecordCollection<Document> | undefined;
  readonly log: Logger;
  /** What it is, for the log: "who has made a job". */
  readonly what: string;
}

/** What was met once and is to be known for long: here at once, and in the records for everybody else. */
export class Recollection<Document extends object> {
  readonly #input: RecollectionInput<Document>;

  constructor(input: RecollectionInput<Document>) {
    this.#input = input;
  }

  /** What this process remembers. */
  known({ id }: Place): Document | undefined {
    return this.#input.remembered.get(id);
  }

  /** Of two who keep something under one key the first one is read by others. */
  async keep(place: Place, document: Document, expiresAt: number): Promise<void> {
    const { remembered, records, log, what } = this.#input;
    remembered.set(place.id, document);
    try {
      await records?.insert({ ...place, document, expiresAt });
    } catch (error) {
      if (error instanceof RecordError && error.reason === "exists") return;
      log.debug(`${what} could not be kept`, { error });
    }
  }

  /** At once where this process remembers it; undefined where nobody does, or the records cannot be asked. */
  find(place: Place): Document | undefined | Promise<Document | undefined> {
    const { records, log, what } = this.#input;
    return (
      this.known(place) ??
      records?.get(place).then(
        (found) => found?.document,
        (error: unknown) => {
          log.debug(`${what} cannot be asked`, { error });
          return undefined;
        },
      )
    );
  }
}
