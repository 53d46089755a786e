import { type BusService, type CacheEntry, type CacheService, type Exchange, tenantOf, z } from "../../core/index.ts";
import type { Assignment, Assignments } from "./assignments.ts";

const topic = "sticky-assignments";

/** Milliseconds a request waits for what others know. */
const deadline = 250;

/** Assignments in one message at most. */
const most = 500;

const assignment = z.object({ child: z.int().min(0), assignedAt: z.int(), expiresAt: z.int() });
/** With a key, and when what it replaces was assigned. */
const telling = assignment.extend({ key: z.string(), replaces: z.int().optional() });

type Told = z.output<typeof telling>;

export interface Others {
  readonly cache?: CacheService | undefined;
  readonly bus?: BusService | undefined;
}

/** A caller at a group. */
export interface Caller {
  readonly key: string;
  readonly exchange: Pick<Exchange, "principal" | "role">;
}

/**
 * Where callers were sent, agreed upon with other processes. The first to assign decides: in a shared cache by claiming,
 * over a bus by the earlier time. Where neither can be used, each process decides for itself.
 */
export class Agreement {
  readonly #local: Assignments;
  readonly #cache: CacheService | undefined;
  readonly #bus: BusService | undefined;
  readonly #waiting = new Map<string, Promise<void>>();
  /** Callers the shared cache was asked about in vain. */
  readonly #nowhere = new Set<string>();
  #untold: Told[] = [];
  #serving = false;

  constructor(local: Assignments, { cache, bus }: Others = {}) {
    this.#local = local;
    this.#cache = cache;
    this.#bus = bus;
  }

  /** Whether it may help to ask others before a request goes on. */
  get canClaim(): boolean {
    return this.#cache?.shared === true && this.#cache.available;
  }

  /** From now on this process assigns, and does not only look. */
  serve(): void {
    this.#serving = true;
  }

  /** Whether it is known here where a caller stays, if anywhere: a process that only looks has nothing but the shared cache. */
  knows({ key, exchange }: Caller): boolean {
    return this.#serving || exchange.role !== "imagined" || this.#nowhere.has(key);
  }

  /** What is returned ends it. */
  listen(now: () => number = Date.now): () => void {
    if (!this.#bus) return () => undefined;
    return this.#bus.subscribe(topic, (received) => {
      // Of callers that have nothing to do with each other: where one cannot be read, the others can.
      for (const one of Array.isArray(received) ? received : []) {
        const { data } = telling.safeParse(one);
        if (data) this.#learn(data, now());
      }
    });
  }

  get(key: string, now: number): Assignment | undefined {
    return this.#local.get(key, now);
  }

  /**
   * Claims what is drawn for a caller not known here, unless another process was first. Requests of the same caller wait
   * for the same claim. Undefined where there is nothing to wait for; what is returned never rejects. What was assigned
   * alone is claimed meanwhile: after an outage all agree again.
   */
  claim(caller: Caller, now: number, draw: () => Assignment): Promise<void> | undefined {
    const { key, exchange } = caller;
    if (!this.canClaim) return undefined;
    if (exchange.role === "imagined") return this.#serving ? undefined : this.#look(caller);
    const known = this.#local.get(key, now);
    if (known && !known.alone) return undefined;
    const waiting = this.#waiting.get(key) ?? this.#begin(caller, known ?? draw());
    return known ? undefined : waiting;
  }

  /** Claims nothing: only says where a caller stays. */
  async #look(caller: Caller): Promise<void> {
    const looking = async () => {
      const found = decoded(await this.#cache?.get(entryOf(caller)));
      if (found) this.#local.set(caller.key, found);
      else if (this.canClaim) this.#nowhere.add(caller.key);
    };
    await inTime(looking());
  }

  #begin(caller: Caller, own: Assignment): Promise<void> {
    const { key } = caller;
    const waited = inTime(this.#claimed(caller, own)).then((isSettled) => {
      this.#waiting.delete(key);
      if (!isSettled) this.#local.set(key, { ...own, alone: true });
    });
    this.#waiting.set(key, waited);
    return waited;
  }

  /** A caller was sent somewhere; `before` is what this takes the place of. */
  assign(caller: Caller, made: Assignment, before: Assignment | undefined): void {
    const { key, exchange } = caller;
    // Nobody is sent anywhere: who asks in earnest claims its own.
    if (exchange.role === "imagined") return;
    this.#local.set(key, this.canClaim ? made : { ...made, alone: true });
    if (this.canClaim) {
      if (before) void this.#cache?.set(entryOf(caller), encoded(made), secondsOf(made));
      else void this.#claimed(caller, made);
    }
    if (before || !this.canClaim) this.#tell({ key, ...made, ...(before && { replaces: before.assignedAt }) });
  }

  async #claimed(caller: Caller, own: Assignment): Promise<void> {
    const { key } = caller;
    const bytes = await this.#cache?.claim(entryOf(caller), encoded(own), secondsOf(own));
    // Where the store could keep nothing, those who share its fate hear of it otherwise.
    if (bytes) return this.#local.set(key, decoded(bytes) ?? plain(own));
    this.#local.set(key, { ...own, alone: true });
    this.#tell({ key, ...plain(own) });
  }

  #tell(told: Told): void {
    if (!this.#bus) return;
    if (this.#untold.push(told) === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const all = this.#untold;
    this.#untold = [];
    for (let at = 0; at < all.length; at += most) this.#bus?.publish(topic, all.slice(at, at + most));
  }

  #learn({ key, replaces, ...told }: Told, now: number): void {
    const known = this.#local.get(key, now);
    if (!known || known.assignedAt === replaces || isEarlier(told, known)) this.#local.set(key, told);
    // Whoever says this was not there to hear of the earlier one.
    else if (isEarlier(known, told)) this.#tell({ key, ...plain(known) });
  }
}

/** Of two at once, both sides take the same one. */
const isEarlier = (one: Assignment, other: Assignment): boolean =>
  one.assignedAt === other.assignedAt ? one.child < other.child : one.assignedAt < other.assignedAt;

const entryOf = ({ key, exchange: { principal } }: Caller): CacheEntry => ({
  tenant: principal ? tenantOf(principal) : "",
  key: `sticky:${key}`,
});

const secondsOf = ({ assignedAt, expiresAt }: Assignment): number => Math.ceil((expiresAt - assignedAt) / 1000);

const plain = ({ child, assignedAt, expiresAt }: Assignment) => ({ child, assignedAt, expiresAt });

const encoded = (made: Assignment): Buffer => Buffer.from(JSON.stringify(plain(made)));

/** Others may have written it: what is no assignment is none. */
function decoded(bytes: Buffer | undefined): Assignment | undefined {
  try {
    return bytes && assignment.safeParse(JSON.parse(bytes.toString())).data;
  } catch {
    return undefined;
  }
}

/** Whether the promise was settled before the deadline had passed. */
function inTime(promise: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, deadline, false);
    const done = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(done, done);
  });
}
