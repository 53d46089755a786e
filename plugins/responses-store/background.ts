import { createHash, randomUUID } from "node:crypto";
import {
  type Attempt,
  type Exchange,
  type Format,
  fieldsIn,
  framingOf,
  isRecord,
  jsonOr,
  type Logger,
  noCost,
  type RecordCollection,
  RecordError,
  type RecordKey,
  type StoredRecord,
  streamWitness,
  tenantOf,
  type WireEvent,
  type Witness,
  wholeWitness,
} from "../../core/index.ts";
import { formatName } from "./kept-response.ts";

/** A response that a provider makes in the background, and of which nobody knows yet what it used. */
export interface Unbilled {
  /** The provider's slug. */
  readonly provider: string;
  /** The model it was asked of. */
  readonly model: string | null;
  /** The call that counts it; the record is taken away after that. */
  readonly countedBy?: string;
}

export interface BackgroundInput {
  readonly collection: RecordCollection<Unbilled>;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
  readonly log: Logger;
  readonly now: () => number;
}

/** Vendors keep responses for a month. */
const keptFor = 40 * 86_400_000;

/** Bytes of a response that are looked into at most. */
const mostBytes = 8 * 1024 * 1024;

/** Statuses after which a response uses nothing more. */
const over: ReadonlySet<unknown> = new Set(["completed", "failed", "incomplete", "cancelled"]);

/**
 * Responses made with `background: true` are answered before they have used anything. Which ones those are is kept, and what each
 * used is counted, once, with the first call that tells of its end.
 */
export class Background {
  readonly #input: BackgroundInput;
  /** What this process has tried to write as the one who counts, and knows no outcome of, by record. */
  readonly #marks = new Map<string, Set<string>>();

  constructor(input: BackgroundInput) {
    this.#input = input;
  }

  /** Whether an exchange may have begun one. */
  readonly mayBegin = ({ endpoint, request }: Exchange): boolean =>
    endpoint.type === "createModelResponse" && request?.bytes?.includes('"background"') === true;

  /** Keeps which responses an exchange has begun; until they are over they have used nothing. */
  async begun(exchange: Exchange): Promise<void> {
    for (const attempt of exchange.attempts) {
      const { usage, received, outcome, target } = attempt;
      if (usage || !outcome?.ok) continue;
      const id = received ? begunIn(received) : leftIn(exchange, attempt);
      if (id === undefined) continue;
      if (received) attempt.usage = {};
      const { slug: provider } = target.provider;
      const model = attempt.asked?.model ?? target.model ?? exchange.request?.model ?? null;
      const isKept = await this.#keep(keyOf(exchange, provider, id), { provider, model });
      // What a call costs, however much it uses, is paid with the rest.
      if (received && isKept) attempt.cost = noCost;
    }
  }

  async #keep({ tenant, id }: RecordKey, document: Unbilled): Promise<boolean> {
    const { collection, log, now } = this.#input;
    try {
      await collection.insert({ tenant, id, document, expiresAt: now() + keptFor });
      return true;
    } catch (error) {
      // What was written, though the store's answer to that was lost, is there.
      if (await collection.get({ tenant, id }).catch(() => undefined)) return true;
      log.warn("a response in the background is not kept: what it uses will not be counted", { error });
      return false;
    }
  }

  /**
   * Looks at what a response is told to be, whole or by the last event of its stream: at its end, and where it was not counted yet,
   * it is counted with this call.
   */
  readonly witness = (exchange: Exchange, attempt: Attempt, contentType: string): Witness => {
    const framing = framingOf(contentType);
    const told = (wire: unknown) => this.#told(exchange, attempt, wire);
    return framing
      ? streamWitness(framing, (events) => told(lastTold(events)), mostBytes)
      : wholeWitness(mostBytes, (bytes) => told(jsonOr(bytes.toString())));
  };

  async #told(exchange: Exchange, attempt: Attempt, wire: unknown): Promise<void> {
    if (!isRecord(wire) || !over.has(wire.status) || typeof wire.id !== "string") return;
    const usage = this.#input.formats.get(formatName)?.readUsage(wire);
    const unbilled = await this.#taken(keyOf(exchange, attempt.target.provider.slug, wire.id));
    if (!usage || !unbilled) return;
    attempt.usage = usage;
    attempt.job = true;
    if (unbilled.model !== null) attempt.model ??= unbilled.model;
  }

  /** One call has it, of all processes, also where the store's answer to who has it was lost. */
  async #taken(key: RecordKey): Promise<Unbilled | undefined> {
    const { collection, log } = this.#input;
    try {
      const found = await collection.get(key);
      if (!found || !(await this.#isMine(key, found))) return undefined;
      await collection
        .remove(key)
        .catch((error: unknown) =>
          log.warn("a response in the background that was counted is still kept: nobody counts it again", { error }),
        );
      this.#marks.delete(placeOf(key));
      return found.document;
    } catch (error) {
      log.warn("whether a response in the background was counted cannot be asked: it is counted by a later call", {
        error,
      });
      return undefined;
    }
  }

  async #isMine(key: RecordKey, { version, document }: StoredRecord<Unbilled>): Promise<boolean> {
    const place = placeOf(key);
    if (document.countedBy !== undefined) return this.#marks.get(place)?.delete(document.countedBy) ?? false;
    const { collection } = this.#input;
    const mark = randomUUID();
    try {
      await collection.update({ ...key, version }, { document: { ...document, countedBy: mark } });
      return true;
    } catch (error) {
      if (error instanceof RecordError && isTold.has(error.reason)) return false;
      // Nobody knows whether it is written: this process does, once the store can be read.
      const marks = this.#marks.get(place) ?? new Set();
      this.#marks.set(place, marks.add(mark));
      const there = await collection.get(key);
      if (there?.document.countedBy === mark) return marks.delete(mark);
      throw error;
    }
  }
}

/** What a store says of a record that somebody else has changed. */
const isTold: ReadonlySet<string> = new Set(["absent", "conflict"]);

const placeOf = ({ tenant, id }: RecordKey): string => `${tenant} ${id}`;

/** The response as the last event that tells of it has it. */
const lastTold = (events: readonly WireEvent[]): unknown =>
  events.map(({ data }) => fieldsIn(jsonOr(data)).response).findLast(isRecord);

/** The response that an answer says was begun; undefined where it is none in the background, or is over. */
function begunIn(received: Buffer): string | undefined {
  const wire = jsonOr(received.toString());
  if (!isRecord(wire) || wire.background !== true || over.has(wire.status)) return undefined;
  return typeof wire.id === "string" ? wire.id : undefined;
}

/** One whose stream was left: it goes on all the same. Known where somebody puts streams together (`request-log` does). */
function leftIn({ answer, attempt: answering, request }: Exchange, attempt: Attempt): string | undefined {
  const response = attempt === answering ? answer?.response : undefined;
  if (!response || !("id" in response) || typeof response.id !== "string") return undefined;
  return /"background"\s*:\s*true/.test(`${request?.bytes}`) ? response.id : undefined;
}

/** Of one organisation, whichever of its credentials asks. Ids of vendors may be long, and hold anything. */
function keyOf({ principal }: Exchange, provider: string, id: string): RecordKey {
  const tenant = principal?.organisation ?? (principal ? tenantOf(principal) : "nobody");
  return {
    tenant,
    id: createHash("sha256")
      .update(JSON.stringify([provider, id]))
      .digest("hex"),
  };
}
