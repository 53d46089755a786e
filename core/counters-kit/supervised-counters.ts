import type { Logger } from "../model/logger.ts";
import type { Claim, Claimed, CountersService, CounterValue, Settlement } from "../services/counters.ts";
import type { SupervisorDesk } from "../workers/supervisor-desk.ts";
import { moment } from "./amounts.ts";
import { MemoryCounters } from "./memory-counters.ts";
import { WatchedStore } from "./watched-store.ts";

/** What workers and their supervisor call this. */
export const countersTopic = "counters";

type Spoken = string | number | null;

/** In JSON, which has no whole numbers of that size: amounts are text, members are in the order they are written here. */
type Question =
  | readonly [most: number, does: "claim", group: string, claims: readonly (readonly Spoken[])[]]
  | readonly [most: number, does: "settle", group: string, entries: readonly (readonly Spoken[])[], once: string | null]
  | readonly [most: number, does: "read", group: string, keys: readonly string[]]
  | readonly [most: number, does: "put", group: string, entries: readonly (readonly Spoken[])[]]
  | readonly [most: number, does: "nothing"];

/** Totals behind the claim that did not hold, or -1, and when it was asked; or what was out of range. */
type Reply = readonly [at: number, time: number, ...totals: string[]] | { readonly range: string };

export interface SupervisedCountersOptions {
  readonly desk: SupervisorDesk;
  /** How many counters there may be. */
  readonly most: number;
  /** Milliseconds a call may take. */
  readonly timeout: number;
  readonly log: Logger;
  readonly pause?: number | undefined;
}

/**
 * The counters of all workers of this machine, which their supervisor keeps in its memory: it lives as long as they do, a
 * worker that dies leaves nothing locked, and no worker ever waits for another with its event loop held.
 */
export class SupervisedCounters implements CountersService {
  readonly shared = "machine";
  readonly now = Date.now;
  readonly #desk: SupervisorDesk;
  readonly #most: number;
  readonly #store: WatchedStore;

  constructor({ desk, most, timeout, log, pause }: SupervisedCountersOptions) {
    this.#desk = desk;
    this.#most = most;
    const probe = () => desk.ask(countersTopic, [most, "nothing"] satisfies Question);
    this.#store = new WatchedStore({ timeout, reachable: () => desk.open, probe, log, pause });
  }

  get available(): boolean {
    return this.#store.available;
  }

  async claim(group: string, claims: readonly Claim[]): Promise<Claimed> {
    const [at, claimedAt, ...counted] = await this.#ask([this.#most, "claim", group, claims.map(spokenClaim)]);
    const totals = counted.map(BigInt);
    return at < 0 ? { granted: true, claimedAt, totals } : { granted: false, at, totals };
  }

  async settle(group: string, entries: readonly Settlement[], once?: string): Promise<readonly bigint[]> {
    const spoken = entries.map(({ key, amount, expiresAt, hold, since }) => [
      key,
      `${amount}`,
      moment(expiresAt),
      hold ?? null,
      since ?? null,
    ]);
    const [, , ...totals] = await this.#ask([this.#most, "settle", group, spoken, once ?? null]);
    return totals.map(BigInt);
  }

  async read(group: string, keys: readonly string[]): Promise<readonly bigint[]> {
    const [, , ...totals] = await this.#ask([this.#most, "read", group, keys]);
    return totals.map(BigInt);
  }

  async put(group: string, entries: readonly CounterValue[]): Promise<void> {
    const spoken = entries.map(({ key, value, expiresAt }) => [key, `${value}`, moment(expiresAt)]);
    await this.#ask([this.#most, "put", group, spoken]);
  }

  close(): void {
    this.#store.close();
  }

  async #ask(question: Question): Promise<Exclude<Reply, { range: string }>> {
    const reply = (await this.#store.call(() => this.#desk.ask(countersTopic, question))) as Reply;
    if ("range" in reply) throw new RangeError(reply.range);
    return reply;
  }
}

const spokenClaim = ({ key, limit, rule, amount, expiresAt, hold, carry }: Claim): Spoken[] => {
  const always = [key, `${limit}`, rule, `${amount}`, moment(expiresAt)];
  return [...always, hold?.id ?? null, moment(hold?.until ?? 0), carry?.key ?? null, carry?.share ?? 0];
};

/** The supervisor's side: the counters of its workers, made when the first of them asks. */
export function countersClerk(log: Logger, now = Date.now): (question: unknown) => unknown {
  let counters: MemoryCounters | undefined;
  const onFull = (most: number) =>
    log.warn("there are too many counters: those that expire first are dropped", { maxCounters: most });
  return (asked) => {
    const question = asked as Question;
    const [most] = question;
    if (!counters) {
      counters = new MemoryCounters({ now, most, onFull });
      counters.tend();
    }
    counters.most = most;
    try {
      return answered(counters, question);
    } catch (error) {
      if (error instanceof RangeError) return { range: error.message } satisfies Reply;
      throw error;
    }
  };
}

function answered(counters: MemoryCounters, question: Question): Reply {
  switch (question[1]) {
    case "claim": {
      const claimed = counters.claim(question[2], question[3].map(claimOf));
      const place = claimed.granted ? ([-1, claimed.claimedAt] as const) : ([claimed.at, 0] as const);
      return [...place, ...claimed.totals.map(String)];
    }
    case "settle": {
      const entries = question[3].map(([key, amount, expiresAt, hold, since]) => ({
        key: String(key),
        amount: BigInt(amount ?? 0),
        expiresAt: Number(expiresAt),
        ...(typeof hold === "string" && { hold }),
        ...(typeof since === "number" && { since }),
      }));
      return [-1, 0, ...counters.settle(question[2], entries, question[4] ?? undefined).map(String)];
    }
    case "read":
      return [-1, 0, ...counters.read(question[2], question[3]).map(String)];
    case "put":
      counters.put(question[2], question[3].map(counterValue));
      return [-1, 0];
    case "nothing":
      return [-1, 0];
  }
}

const counterValue = ([key, value, expiresAt]: readonly Spoken[]): CounterValue => ({
  key: String(key),
  value: BigInt(value ?? 0),
  expiresAt: Number(expiresAt),
});

const claimOf = (spoken: readonly Spoken[]): Claim => {
  const [key, limit, rule, amount, expiresAt, id, until, carried, share] = spoken;
  return {
    key: String(key),
    limit: BigInt(limit ?? 0),
    rule: rule === "below" ? "below" : "within",
    amount: BigInt(amount ?? 0),
    expiresAt: Number(expiresAt),
    ...(typeof id === "string" && { hold: { id, until: Number(until) } }),
    ...(typeof carried === "string" && { carry: { key: carried, share: Number(share) } }),
  };
};
