import type { LogObject } from "../../../core/index.ts";
import type { Draft } from "../record/records.ts";

export interface QueueLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** What was given up for want of room. */
export interface Lost {
  /** Records that are gone. */
  records: number;
  /** Records that were kept without their content. */
  contents: number;
}

/** Bytes a record takes besides its content, about. */
const ownBytes = 3_000;

/**
 * Records that wait to be written, within bounds: where there are too many bytes the oldest lose their content, and where
 * that is not enough, or there are too many records, the oldest are lost.
 */
export class DraftQueue {
  readonly lost: Lost = { records: 0, contents: 0 };
  readonly #limits: QueueLimits;
  #drafts: Draft[] = [];
  #bytes = 0;
  /** How many at the beginning have no content any more. */
  #bare = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#drafts.length;
  }

  /** Of all that wait, about. */
  get bytes(): number {
    return this.#bytes;
  }

  add(draft: Draft): void {
    this.#drafts.push(draft);
    this.#bytes += draft.size + ownBytes;
    if (this.#bytes > this.#limits.bytes || this.#drafts.length > this.#limits.rows) this.#makeRoom();
  }

  /** The oldest: so many at most, and of so many bytes, if more than one. */
  take(rows: number, bytes: number): Draft[] {
    let taken = 0;
    let size = 0;
    while (taken < rows && taken < this.#drafts.length) {
      const next = (this.#drafts[taken]?.size ?? 0) + ownBytes;
      if (taken > 0 && size + next > bytes) break;
      size += next;
      taken++;
    }
    this.#bytes -= size;
    this.#bare = Math.max(0, this.#bare - taken);
    return this.#drafts.splice(0, taken);
  }

  /** Puts back what was taken and could not be written. */
  putBack(drafts: readonly Draft[]): void {
    this.#drafts = [...drafts, ...this.#drafts];
    for (const { size } of drafts) this.#bytes += size + ownBytes;
    this.#bare = 0;
    this.#makeRoom();
  }

  #makeRoom(): void {
    const { rows, bytes } = this.#limits;
    while (this.#bytes > bytes && this.#bare < this.#drafts.length) this.#strip(this.#bare++);
    const over = this.#drafts.length - rows;
    // A few more than needed, so that not every record that comes moves all the others.
    let gone = over > 0 ? Math.min(this.#drafts.length, over + Math.floor(rows / 100)) : 0;
    while ((this.#drafts.length - gone) * ownBytes > bytes) gone++;
    if (gone === 0) return;
    for (const { size } of this.#drafts.splice(0, gone)) this.#bytes -= size + ownBytes;
    this.#bare = Math.max(0, this.#bare - gone);
    this.lost.records += gone;
  }

  #strip(at: number): void {
    const draft = this.#drafts[at];
    if (!draft || draft.size === 0) return;
    this.#bytes -= draft.size;
    this.#drafts[at] = { ...draft, object: withoutBodies(draft.object), size: 0 };
    this.lost.contents++;
  }
}

function withoutBodies({
  finalUntransformedRequest: _,
  transformedRequest: __,
  originalResponse: ___,
  request: { body: ____, ...request },
  response: { body: _____, ...response },
  ...rest
}: LogObject): LogObject {
  return { ...rest, request, response };
}
