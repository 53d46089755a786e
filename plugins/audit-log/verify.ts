import type { AuditChain, RecordCollection, RecordQuery, StoredRecord } from "../../core/index.ts";
import type { Chains } from "./chains.ts";
import { type AuditDocument, blockOf, digestOf, type Head, headId, headOf, idOf, start } from "./document.ts";

type Kept = StoredRecord<AuditDocument>;
type Wrong = NonNullable<AuditChain["wrong"]>;

/** Walks the chains of all organisations, those included of which only the end is still known. */
export async function verifyChains(
  { entries, heads }: Pick<Chains, "entries" | "heads">,
  now: () => number,
  known: ReadonlySet<string> = new Set(),
): Promise<AuditChain[]> {
  const chains: AuditChain[] = [];
  for (const organisation of await organisationsOf({ entries, heads })) {
    const head = (await heads.get({ tenant: organisation, id: headId }))?.document;
    chains.push(await new Walk({ organisation, entries, head, known, now }).walked());
  }
  return chains;
}

/** Without looking at every entry, unless there are some of which no head tells. */
async function organisationsOf({ entries, heads }: Pick<Chains, "entries" | "heads">): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  for await (const { tenant } of everyOne(heads, {})) all.add(tenant);
  let known = 0;
  for (const tenant of all) known += await entries.count({ tenant });
  if (known < (await entries.count({}))) for await (const { tenant } of everyOne(entries, {})) all.add(tenant);
  return all;
}

interface WalkParts {
  readonly organisation: string;
  readonly entries: RecordCollection<AuditDocument>;
  readonly head: Head | undefined;
  readonly known: ReadonlySet<string>;
  readonly now: () => number;
}

/** One walk along one chain, up to the first entry that is wrong. */
class Walk {
  readonly #parts: WalkParts;
  #last: Head = start;
  #found = 0;
  #expired = 0;
  readonly #known = new Set<string>();

  constructor(parts: WalkParts) {
    this.#parts = parts;
  }

  async walked(): Promise<AuditChain> {
    const { organisation, entries } = this.#parts;
    const before = await entries.count({ tenant: organisation });
    const wrong = (await this.#blocks()) ?? this.#end() ?? (this.#found < before ? await this.#stray() : undefined);
    const { digest } = this.#last;
    return {
      organisation,
      entries: this.#found,
      expired: this.#expired,
      ...(digest !== null && { digest }),
      known: [...this.#known],
      ...(wrong && { wrong }),
    };
  }

  async #blocks(): Promise<Wrong | undefined> {
    const { organisation: tenant, entries, head } = this.#parts;
    for (let block = 0; ; block++) {
      const found: Kept[] = [];
      for await (const one of everyOne(entries, { tenant, where: { block } })) found.push(one);
      for (const one of found.sort(inOrder)) {
        const wrong = this.#step(one);
        if (wrong) return wrong;
      }
      if (found.length === 0 && block >= blockOf(head?.sequence ?? 1)) return undefined;
    }
  }

  #step({ id, document }: Kept): Wrong | undefined {
    const { sequence, previous, previous_until, digest } = document;
    const last = this.#last;
    if (id !== idOf(sequence) || sequence <= last.sequence)
      return wrongAt(sequence, `entry ${sequence} was inserted: it is kept as number "${id}"`);
    if (digest !== digestOf(this.#parts.organisation, document))
      return wrongAt(sequence, `entry ${sequence} was altered`);
    if (sequence > last.sequence + 1) {
      if (!this.#isOver(previous_until)) return removed(last.sequence + 1, sequence - 1);
      this.#expired += sequence - last.sequence - 1;
    } else if (previous !== last.digest)
      return last.sequence === 0
        ? wrongAt(sequence, `entry ${sequence} was altered: it names one before it`)
        : wrongAt(last.sequence, `entry ${last.sequence} was altered: the one after it knows another digest`);
    this.#found++;
    this.#goTo(headOf(document));
    const { head } = this.#parts;
    return sequence === head?.sequence && digest !== head.digest
      ? wrongAt(sequence, `entry ${sequence} was altered: the head of the chain knows another digest`)
      : undefined;
  }

  /** The end is where the head says, or behind it: the head is written after the entries. */
  #end(): Wrong | undefined {
    const { head } = this.#parts;
    if (!head) return wrongAt(this.#last.sequence + 1, "the head of the chain was removed: the end may be missing too");
    if (this.#last.sequence >= head.sequence) return undefined;
    if (!this.#isOver(head.kept_until)) return removed(this.#last.sequence + 1, head.sequence);
    this.#expired += head.sequence - this.#last.sequence;
    this.#goTo(head);
    return undefined;
  }

  #goTo(next: Head): void {
    this.#last = next;
    if (next.digest !== null && this.#parts.known.has(next.digest)) this.#known.add(next.digest);
  }

  /** An entry that the walk did not come by. */
  async #stray(): Promise<Wrong | undefined> {
    const { organisation: tenant, entries } = this.#parts;
    for await (const { id, document } of everyOne(entries, { tenant })) {
      const { sequence, block } = document;
      if (id !== idOf(sequence) || block !== blockOf(sequence) || sequence > this.#last.sequence)
        return wrongAt(sequence, `entry ${sequence} was inserted: the chain does not lead to it`);
    }
    return undefined;
  }

  #isOver(until: string | null): boolean {
    return until !== null && Date.parse(until) <= this.#parts.now();
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
