import { type LogObject, type PackedLog, withHead } from "../../../core/index.ts";
import type { Draft } from "../record/records.ts";
import { Losses, type Lost } from "./losses.ts";

/** A record that waits, as stores take it. */
export interface PackedDraft {
  readonly packed: PackedLog;
  /** Bytes of its content. */
  readonly size: number;
}

/** It is packed once it is known whose it is. */
export type Waiting = Draft | PackedDraft;

export interface QueueLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** Bytes a record takes besides its content, about, unless it is known to have more. */
const ownBytes = 3_000;

const bytesOf = (record: Waiting): number =>
  record.size + ("packed" in record ? Math.max(ownBytes, record.packed.bytes.length) : ownBytes);

const sumOf = (records: readonly Waiting[]): number => records.reduce((sum, record) => sum + bytesOf(record), 0);

/**
 * Records that wait to be written, within bounds: where there are too many bytes the oldest lose their content, and where
 * that is not enough, or there are too many records, the oldest are lost.
 */
export class RecordQueue {
  readonly #limits: QueueLimits;
  readonly #losses: Losses;
  #waiting: Waiting[] = [];
  #bytes = 0;
  /** How many at the beginning have no content any more. */
  #bare = 0;

  constructor(limits: QueueLimits, losses = new Losses()) {
    this.#limits = limits;
    this.#losses = losses;
  }

  get lost(): Readonly<Lost> {
    return this.#losses.total;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Of all that wait, about. */
  get bytes(): number {
    return this.#bytes;
  }

  add(record: Waiting): void {
    this.#waiting.push(record);
    this.#bytes += bytesOf(record);
    if (this.#bytes > this.#limits.bytes || this.#waiting.length > this.#limits.rows) this.#makeRoom();
  }

  /** The oldest: so many at most, and of so many bytes, if more than one. */
  take(rows: number, bytes: number): Waiting[] {
    let taken = 0;
    let size = 0;
    while (taken < rows && taken < this.#waiting.length) {
      const next = bytesOf(this.#waiting[taken] as Waiting);
      if (taken > 0 && size + next > bytes) break;
      size += next;
      taken++;
    }
    this.#bytes -= size;
    this.#bare = Math.max(0, this.#bare - taken);
    return this.#waiting.splice(0, taken);
  }

  /** Puts before all others what was taken and could not be written, here or by an older generation. */
  putBack(records: readonly Waiting[]): void {
    this.#waiting = [...records, ...this.#waiting];
    this.#bytes += sumOf(records);
    this.#bare = 0;
    this.#makeRoom();
  }

  #makeRoom(): void {
    const { rows, bytes } = this.#limits;
    while (this.#bytes > bytes && this.#bare < this.#waiting.length) this.#strip(this.#bare++);
    const over = this.#waiting.length - rows;
    // A few more than needed, so that not every record that comes moves all the others.
    let gone = over > 0 ? Math.min(this.#waiting.length, over + Math.floor(rows / 100)) : 0;
    let left = this.#bytes - sumOf(this.#waiting.slice(0, gone));
    while (left > bytes && gone < this.#waiting.length) left -= bytesOf(this.#waiting[gone++] as Waiting);
    if (gone === 0) return;
    this.#bytes = left;
    this.#waiting.splice(0, gone);
    this.#bare = Math.max(0, this.#bare - gone);
    this.#losses.add("records", gone);
  }

  #strip(at: number): void {
    const record = this.#waiting[at];
    if (!record || record.size === 0) return;
    const bare = withoutContent(record);
    this.#bytes -= bytesOf(record) - bytesOf(bare);
    this.#waiting[at] = bare;
    this.#losses.add("contents", 1);
  }
}

function withoutContent(record: Waiting): Waiting {
  if (!("packed" in record)) return { ...record, object: withoutBodies(record.object), size: 0 };
  // The head names bodies where the object has them.
  const bare = (head: string) => JSON.stringify(withoutBodies(JSON.parse(head) as LogObject));
  return { packed: withHead(record.packed, bare), size: 0 };
}

function withoutBodies({
  finalUntransformedRequest: _,
  transformedRequest: __,
  originalResponse: ___,
  variables: ______,
  request: { body: ____, ...request },
  response: { body: _____, ...response },
  ...rest
}: LogObject): LogObject {
  return { ...rest, request, response };
}
