import { atMost, type Logger, RecordError } from "../../core/index.ts";
import type { Chains } from "./chains.ts";
import { type AuditEntry, type Noted, noteOfEvent } from "./entry.ts";

export interface WaitingParts {
  readonly chains: Pick<Chains, "append" | "settle">;
  /** The id and the slug of a workspace; undefined for one that is not, or no longer, there. */
  readonly workspace: (
    organisation: string,
    ref: string,
  ) => Promise<{ readonly id: string; readonly slug?: string } | undefined>;
  /** The entry as it is kept: with what must not lie in the clear encrypted. Rejects as stores do. */
  readonly sealed: (organisation: string, entry: AuditEntry) => Promise<AuditEntry>;
  /** Entries that wait at most. */
  readonly most: number;
  readonly log: Logger;
  readonly now: () => number;
}

interface Item {
  readonly noted: Noted;
  readonly size: number;
  /** Made once, so that an entry that is tried again is the same one. */
  entry?: AuditEntry;
}

/** Milliseconds that entries are gathered. */
const gathering = 50;
/** Entries of one organisation that are kept before its head is written down. */
const batch = 500;
const firstPause = 1000;
const longestPause = 30_000;

/**
 * Calls that were one too many for their credential, or whose credential is good no more, kept in a second: a flood of them
 * must not push out others.
 */
const mostThrottled = 20;

/** Characters that wait at most. */
const mostCharacters = 64 * 1024 * 1024;

const full = "too many wait for the store";

/** How many entries were lost, and the entry that says so. */
interface Told {
  readonly entries: number;
  readonly entry: AuditEntry;
}

/**
 * Entries on their way to the chains: nobody waits for them. While the store does not answer they wait, up to a bound;
 * beyond it they are lost, which is counted, logged, and written into the chain of their organisation.
 */
export class Waiting {
  readonly #parts: WaitingParts;
  readonly #lanes = new Map<string, Item[]>();
  /** By organisation: how many were lost without its chain telling of it. */
  readonly #lost = new Map<string, number>();
  /** What its chain is being told, and may have been already: of more than one config where each was telling of its own. */
  readonly #telling = new Map<string, Told[]>();
  #count = 0;
  #characters = 0;
  #failures = 0;
  #second = 0;
  #throttled = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #heir: Waiting | undefined;
  #closed = false;
  #over = false;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** Entries that wait. */
  get count(): number {
    return this.#count;
  }

  add(noted: Noted): void {
    if (this.#heir) return this.#heir.add(noted);
    const { request_body, request_headers, query_params, details } = noted.entry;
    const size = request_body.length + request_headers.length + query_params.length + details.length + 512;
    const refused = this.#refusal(noted, size);
    if (refused !== undefined) {
      this.#lose(noted.organisation, refused);
      this.#schedule(gathering);
      return;
    }
    this.#push(noted.organisation, { noted, size });
    this.#schedule(gathering);
  }

  /** Keeps what waits, for so many milliseconds. The rest is handed to whoever keeps entries from now on; without one it is lost. */
  async close(patience: number, heir?: Waiting): Promise<void> {
    this.#heir = heir;
    this.#closed = true;
    clearTimeout(this.#timer);
    await atMost(patience, this.#last());
    this.#over = true;
    // What is being kept just now is not to be kept by two.
    if (heir) return void Promise.resolve(this.#running).then(() => heir.#takeOver(this));
    this.#tellOfEnd();
  }

  #tellOfEnd(): void {
    const telling = [...this.#telling.values()].flat().map((one) => one.entries);
    const entries = [...this.#lost.values(), ...telling].reduce((sum, one) => sum + one, this.#count);
    if (entries > 0) this.#parts.log.error("audit entries are lost: the store did not take them in time", { entries });
  }

  /** All that waits elsewhere; its entries come behind those that wait here. */
  #takeOver(other: Waiting): void {
    if (this.#heir) return this.#heir.#takeOver(other);
    for (const [organisation, lane] of other.#lanes) {
      for (const item of lane)
        if (!this.#hasRoom(item.size)) this.#lose(organisation, full);
        else this.#push(organisation, item);
    }
    // The same objects: appending one once more finds out whether it is there.
    for (const [organisation, told] of other.#telling)
      this.#telling.set(organisation, [...(this.#telling.get(organisation) ?? []), ...told]);
    for (const [organisation, entries] of other.#lost) this.#addLost(organisation, entries);
    if (this.#closed) this.#tellOfEnd();
    else this.#schedule(gathering);
  }

  #push(organisation: string, item: Item): void {
    const lane = this.#lanes.get(organisation) ?? [];
    this.#lanes.set(organisation, lane);
    lane.push(item);
    this.#count++;
    this.#characters += item.size;
  }

  #addLost(organisation: string, entries: number): void {
    this.#lost.set(organisation, (this.#lost.get(organisation) ?? 0) + entries);
  }

  #hasRoom(size: number): boolean {
    return this.#count < this.#parts.most && this.#characters + size <= mostCharacters;
  }

  /** Why an entry is not kept. */
  #refusal({ entry, outside }: Noted, size: number): string | undefined {
    const { now } = this.#parts;
    if (this.#closed) return "the gateway ends";
    if (!this.#hasRoom(size)) return full;
    if (entry.response_status_code !== 429 && !outside) return undefined;
    const second = Math.floor(now() / 1000);
    if (second !== this.#second) this.#throttled = 0;
    this.#second = second;
    return ++this.#throttled > mostThrottled ? "too many calls were throttled, or not let in" : undefined;
  }

  async #last(): Promise<void> {
    await this.#running;
    // What it waited for may have outlasted all patience: by then somebody else has the rest.
    if (this.#over) return;
    do await this.#run();
    while (!this.#over && this.#count > 0 && this.#failures === 0);
  }

  #schedule(pause: number): void {
    if (this.#timer || this.#running || this.#closed) return;
    this.#timer = setTimeout(() => void this.#run(), pause).unref();
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#keepAll().finally(() => {
      this.#running = undefined;
      if (this.#count > 0 || this.#lost.size > 0 || this.#failures > 0)
        this.#schedule(this.#failures === 0 ? gathering : pauseAfter(this.#failures));
    });
    return this.#running;
  }

  async #keepAll(): Promise<void> {
    const { log } = this.#parts;
    const lanes = new Set([...this.#lanes.keys(), ...this.#lost.keys(), ...this.#telling.keys()]);
    const done = await Promise.allSettled([...lanes].map((organisation) => this.#keepLane(organisation)));
    const failed = done.find((one) => one.status === "rejected");
    if (failed) {
      this.#failures++;
      if (this.#failures === 1)
        log.warn("audit entries wait for the store", { entries: this.#count, error: failed.reason });
      return;
    }
    if (this.#failures > 0) log.info("audit entries are kept again", { waiting: this.#count });
    this.#failures = 0;
  }

  /** All that waits for one organisation, in its order. Rejects where the store does not answer: the rest waits on. */
  async #keepLane(organisation: string): Promise<void> {
    const lane = this.#lanes.get(organisation) ?? [];
    let done = 0;
    try {
      for (const item of lane.slice(0, batch)) {
        await this.#keep(item);
        done++;
      }
    } finally {
      for (const { size } of lane.splice(0, done)) this.#characters -= size;
      this.#count -= done;
      if (lane.length === 0) this.#lanes.delete(organisation);
    }
    await this.#tellOfLost(organisation);
    await this.#parts.chains.settle(organisation);
  }

  async #keep(item: Item): Promise<void> {
    const { organisation } = item.noted;
    try {
      item.entry ??= await this.#parts.sealed(organisation, await this.#entryOf(item.noted));
      await this.#parts.chains.append(organisation, item.entry);
    } catch (error) {
      if (!(error instanceof RecordError) || error.reason !== "down") {
        this.#lose(organisation, "the store refuses it", error);
        return;
      }
      throw error;
    }
  }

  async #entryOf({ organisation, workspace, entry }: Noted): Promise<AuditEntry> {
    if (workspace === undefined) return { ...entry, workspace_id: "", workspace_uuid: "" };
    const { id, slug = id } = (await this.#parts.workspace(organisation, workspace)) ?? { id: workspace };
    return { ...entry, workspace_id: slug, workspace_uuid: id };
  }

  #lose(organisation: string, reason: string, error?: unknown): void {
    this.#addLost(organisation, 1);
    if (this.#lost.get(organisation) === 1)
      this.#parts.log.error("an audit entry is lost, and further ones may be: the trail will say how many", {
        organisation,
        reason,
        ...(error !== undefined && { error }),
      });
  }

  async #tellOfLost(organisation: string): Promise<void> {
    const newly = this.#telling.has(organisation) ? undefined : this.#newlyLost(organisation);
    if (newly) this.#telling.set(organisation, [newly]);
    // Others may be handed on meanwhile.
    for (let one = this.#telling.get(organisation)?.[0]; one; one = this.#telling.get(organisation)?.[0]) {
      await this.#parts.chains.append(organisation, one.entry);
      const left = (this.#telling.get(organisation) ?? []).filter((other) => other !== one);
      if (left.length > 0) this.#telling.set(organisation, left);
      else this.#telling.delete(organisation);
    }
  }

  #newlyLost(organisation: string): Told | undefined {
    const entries = this.#lost.get(organisation);
    if (entries === undefined) return undefined;
    this.#lost.delete(organisation);
    const { log, now } = this.#parts;
    log.error("audit entries are lost", { organisation, entries });
    const details = { event: "audit_entries_lost", entries };
    const { entry } = noteOfEvent({ organisation, resource: "organisation", action: "manage", details }, now());
    return { entries, entry: { ...entry, workspace_id: "", workspace_uuid: "" } };
  }
}

/** Twice as long each time, at a moment of chance in the upper half of it. */
const pauseAfter = (failures: number): number => {
  const whole = Math.min(firstPause * 2 ** (failures - 1), longestPause);
  return whole / 2 + (whole / 2) * Math.random();
};
