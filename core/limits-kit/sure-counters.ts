import { MemoryCounters } from "../counters-kit/memory-counters.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Logger } from "../plugin.ts";
import { type Claim, type Claimed, CountersError, type CountersService } from "../services/counters.ts";

/** What is done when the store of the counters cannot be asked (policies.md section 11.4). */
export type OnStoreError = "local" | "deny";

export interface SureCountersInput {
  readonly counters: CountersService;
  readonly onStoreError: OnStoreError;
  readonly log: Logger;
}

/** A claim that was decided, and who decided it: what it took has to be settled there. */
export interface Decided {
  readonly claimed: Claimed;
  readonly by: CountersService;
}

/**
 * Counters that answer even when their store does not: this process then counts by itself, with the full limits, or says
 * `limit_store_unavailable`.
 */
export class SureCounters {
  readonly #counters: CountersService;
  readonly #onStoreError: OnStoreError;
  readonly #log: Logger;
  readonly #own: MemoryCounters;
  #down = false;

  constructor({ counters, onStoreError, log }: SureCountersInput) {
    this.#counters = counters;
    this.#own = new MemoryCounters({ now: () => counters.now() });
    this.#onStoreError = onStoreError;
    this.#log = log;
  }

  /** The store itself. */
  get store(): CountersService {
    return this.#counters;
  }

  now(): number {
    return this.#counters.now();
  }

  /** Throws where limits cannot be looked at, and nothing with a limit is to be let through then. */
  insist(): void {
    if (this.#onStoreError === "deny" && !this.#counters.available) throw storeUnavailable();
  }

  /** `alone` are the claims where this process counts by itself, if they differ. */
  claim(
    group: string,
    claims: readonly Claim[],
    alone: (claims: readonly Claim[]) => readonly Claim[] = same,
  ): Decided | Promise<Decided> {
    if (!this.#counters.available) return this.#without(group, alone(claims));
    const claimed = this.#counters.claim(group, claims);
    if (!(claimed instanceof Promise)) return { claimed, by: this.#counters };
    return claimed.then(
      (known) => {
        if (this.#down) this.#log.info("limits are counted together again");
        this.#down = false;
        return { claimed: known, by: this.#counters };
      },
      (error: unknown) => {
        if (!(error instanceof CountersError)) throw error;
        return this.#without(group, alone(claims));
      },
    );
  }

  #without(group: string, claims: readonly Claim[]): Decided {
    if (this.#onStoreError === "deny") throw storeUnavailable();
    if (!this.#down) this.#log.warn("the store of the counters cannot be asked: this process counts by itself");
    this.#down = true;
    return { claimed: this.#own.claim(group, claims), by: this.#own };
  }
}

const same = (claims: readonly Claim[]): readonly Claim[] => claims;

export const storeUnavailable = (): GatewayError =>
  new GatewayError("limit_store_unavailable", "Limits cannot be looked at right now: try again in a few seconds.", {
    retryAfterSeconds: 5,
  });
