import type { AuditChain, RecordCollection, RecordQuery, StoredRecord } from "../../core/index.ts";
import type { Chains } from "./chains.ts";
import { type AuditDocument, blockOf, blockSize, digestOf, type Head, headOf, idOf, start } from "./document.ts";

type Kept = StoredRecord<AuditDocument>;
type Wrong = NonNullable<AuditChain["wrong"]>;

/** Walks the chains of all organisations, those included of which only the end is still known. */
export async function verifyChains(
  { entries, heads }: Pick<Chains, "entries" | "heads">,
  now: () => number,
): Promise<AuditChain[]> {
  const ends = new Map<string, Head>();
  for await (const { tenant, document } of everyOne(heads, {})) ends.set(tenant, document);
  const chains: AuditChain[] = [];
  for (const organisation of await organisationsOf(entries, ends))
    chains.push(await new Walk(organisation, entries, ends.get(organisation), now).walked());
  return chains;
}

/** Without looking at every entry, unless there are some of which no head tells. */
async function organisationsOf(entries: RecordCollection<AuditDocument>, ends: ReadonlyMap<string, Head>) {
  let known = 0;
  for (const tenant of ends.keys()) known += await entries.count({ tenant });
  const all = new Set(ends.keys());
  if (known < (await entries.count({}))) for await (const { tenant } of everyOne(entries, {})) all.add(tenant);
  return all;
}

/** One walk along one chain, up to the first entry that is wrong. */
class Walk {
  readonly #organisation: string;
  readonly #entries: RecordCollection<AuditDocument>;
  readonly #head: Head | undefined;
  readonly #now: () => number;
  #last: Head = start;
  #found = 0;
  #expired = 0;
  #digests: string[] = [];

  constructor(
    organisation: string,
    entries: RecordCollection<AuditDocument>,
    head: Head | undefined,
    now: () => number,
  ) {
    this.#organisation = organisation;
    this.#entries = entries;
    this.#head = head;
    this.#now = now;
  }

  async walked(): Promise<AuditChain> {
    const before = await this.#entries.count({ tenant: this.#organisation });
    const wrong = (await this.#blocks()) ?? this.#end() ?? (this.#found < before ? await this.#stray() : undefined);
    const { digest } = this.#last;
    if (digest !== null && this.#digests.at(-1) !== digest) this.#digests.push(digest);
    return {
      organisation: this.#organisation,
      entries: this.#found,
      expired: this.#expired,
      digests: this.#digests,
      ...(wrong && { wrong }),
    };
  }

  async #blocks(): Promise<Wrong | undefined> {
    const head = this.#head?.sequence ?? 0;
    for (let block = 0; ; block++) {
      const found: Kept[] = [];
      for await (const one of everyOne(this.#entries, { tenant: this.#organisation, where: { block } }))
        found.push(one);
      for (const one of found.sort(inOrder)) {
        const wrong = this.#step(one);
        if (wrong) return wrong;
      }
      if (found.length === 0 && block >= blockOf(head)) return undefined;
    }
  }

  #step({ id, document }: Kept): Wrong | undefined {
    const { sequence, previous, previous_until, digest } = document;
    const last = this.#last;
    if (id !== idOf(sequence) || sequence <= last.sequence)
      return wrongAt(sequence, `entry ${sequence} was inserted: it is kept as number "${id}"`);
    if (digest !== digestOf(this.#organisation, document)) return wrongAt(sequence, `entry ${sequence} was altered`);
    if (sequence > last.sequence + 1) {
      if (!this.#isOver(previous_until)) return removed(last.sequence + 1, sequence - 1);
      this.#expired += sequence - last.sequence - 1;
    } else if (previous !== last.digest)
      return last.sequence === 0
        ? wrongAt(sequence, `entry ${sequence} was altered: it names one before it`)
        : wrongAt(last.sequence, `entry ${last.sequence} was altered: the one after it knows another digest`);
    this.#found++;
    this.#last = headOf(document);
    if (sequence % blockSize === 0) this.#digests.push(digest);
    return sequence === this.#head?.sequence && digest !== this.#head.digest
      ? wrongAt(sequence, `entry ${sequence} was altered: the head of the chain knows another digest`)
      : undefined;
  }

  /** The end is where the head says, or behind it: the head is written after the entries. */
  #end(): Wrong | undefined {
    const head = this.#head;
    if (!head) return wrongAt(this.#last.sequence + 1, "the head of the chain was removed: the end may be missing too");
    if (this.#last.sequence >= head.sequence) return undefined;
    if (!this.#isOver(head.kept_until)) return removed(this.#last.sequence + 1, head.sequence);
    this.#expired += head.sequence - this.#last.sequence;
    this.#last = head;
    return undefined;
  }

  /** An entry that the walk did not come by. */
  async #stray(): Promise<Wrong | undefined> {
    for await (const { id, document } of everyOne(this.#entries, { tenant: this.#organisation })) {
      const { sequence, block } = document;
      if (id !== idOf(sequence) || block !== blockOf(sequence) || sequence > this.#last.sequence)
        return wrongAt(sequence, `entry ${sequence} was inserted: the chain does not lead to it`);
    }
    return undefined;
  }

  #isOver(until: string | null): boolean {
    return until !== null && Date.parse(until) <= this.#now();
  }
}

const inOrder = (left: Kept, right: Kept): number =>
  left.document.sequence - right.document.sequence || (left.id < right.id ? -1 : 1);

const wrongAt = (sequence: number, message: string): Wrong => ({ sequence, message });

const removed = (from: number, to: number): Wrong =>
  wrongAt(from, from === to ? `entry ${from} was removed` : `entries ${from} to ${to} were removed`);

export async function* everyOne<Document extends object>(
  collection: RecordCollection<Document>,
  query: RecordQuery<Document>,
): AsyncGenerator<StoredRecord<Document>> {
  for (let after: string | undefined; ; ) {
    const page = await collection.find({ ...query, limit: 1000, ...(after !== undefined && { after }) });
    yield* page.records;
    after = page.next;
    if (after === undefined) return;
  }
}
