import { type Fields, unsigned } from "../../../core/index.ts";
import { finishOwnCall } from "../client-tools.ts";
import type { Open } from "./open-item.ts";
import type { EventSink } from "./text-writer.ts";
import { tellItem } from "./tool-events.ts";

/** The items of an answer in their places, and the events that tell of their beginning and their end. */
export class OutputItems {
  readonly all: Fields[] = [];
  readonly #stem: string;
  readonly #sink: EventSink | undefined;
  /** Items that nothing was told of so far. */
  #late = 0;

  /** `stem` is in all their ids. Without a sink nobody listens. */
  constructor(stem: string, sink: EventSink | undefined) {
    this.#stem = stem;
    this.#sink = sink;
  }

  /** The id of the next item. */
  idOf(prefix: string): string {
    return `${prefix}_${this.#stem}_${this.all.length + this.#late}`;
  }

  /** An item that comes in one piece. */
  whole(item: Readonly<Fields>): void {
    const index = this.all.push(Object.assign({}, item)) - 1;
    if (this.#sink) tellItem(this.#sink, index, item);
  }

  begin(item: Fields, part = -1): Open {
    const index = this.all.push(item) - 1;
    this.#sink?.event("response.output_item.added", { output_index: index, item });
    return { item, index, part };
  }

  /** An item that is told of when it is there as a whole: its place is behind all that others were told of until then. */
  beginLate(item: Fields, part: number): Open {
    this.#late++;
    return { item, index: -1, part, late: true };
  }

  /** What there is of an item whose end never comes: nobody is told of one. */
  breakOff({ item, text, made }: Open): void {
    text?.breakOff();
    if (made) item.encrypted_content ??= unsigned;
    if ("status" in item) item.status = "incomplete";
  }

  done({ item, index, text, made, late }: Open, status: string): void {
    text?.finish();
    // The vendor looks for an item without a proof among those that it keeps, and refuses a history with one that is not there.
    if (made) item.encrypted_content ??= unsigned;
    if ("status" in item) item.status = status;
    finishOwnCall(item);
    const place = late ? this.#tell(item) : index;
    this.#sink?.event("response.output_item.done", { output_index: place, item });
  }

  #tell(item: Fields): number {
    this.#late--;
    const index = this.all.push(item) - 1;
    this.#sink?.event("response.output_item.added", {
      output_index: index,
      item: { ...item, status: "in_progress" },
    });
    return index;
  }
}
