import { MemoryCounters } from "../counters-kit/memory-counters.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { Logger } from "../model/logger.ts";
import {
  type Claim,
  type Claimed,
  CountersError,
  type CountersService,
  type OnStoreError,
} from "../services/counters.ts";

export interface SureCountersInput {
  readonly counters: CountersService;
  /** For limits that do not say it themselves (policies.md section 11.4). */
  readonly onStoreError: OnStoreError;
  readonly log: Logger;
}

/** A limit that may say itself what is done without the store. */
export interface StoreBound {
  readonly onStoreError?: OnStoreError | undefined;
}

/** A claim that was decided, and who decided it: what it took has to be settled there. */
export interface Decided {
  readonly claimed: Claimed;
  readonly by: CountersService;
}

/**
 * Counters that answer even when their store does not: this process then counts by itself, with the full limits, or says
 * `limit_store_unavailable` where one of the limits a request meets is to be refused then.
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

  /** Throws where the store is away and one of these limits is to be refused then. */
  assure(limits: readonly StoreBound[]): void {
    if (!this.#counters.available && this.#denies(limits)) throw storeUnavailable();
  }

  /**
   * `alone` are the claims where this process counts by itself, if they differ. Those `along` are of other limits, and decided
   * in one step with these; they are left out where this process counts by itself.
   */
  claim(
    group: string,
    claims: readonly Claim[],
    limits: readonly StoreBound[],
    alone: (claims: readonly Claim[]) => readonly Claim[] = same,
    along: readonly Claim[] = none,
  ): Decided | Promise<Decided> {
    if (!this.#counters.available) return this.#without(group, alone(claims), limits);
    const claimed = this.#counters.claim(group, along.length === 0 ? claims : [...claims, ...along]);
    if (!(claimed instanceof Promise)) return { claimed, by: this.#counters };
    return claimed.then(
      (known) => {
        this.answered();
        return { claimed: known, by: this.#counters };
      },
      (error: unknown) => {
        if (!(error instanceof CountersError)) throw error;
        return this.#without(group, alone(claims), limits);
      },
    );
  }

  /** The store has answered, whoever asked it. */
  answered(): void {
    if (this.#down) this.#log.info("limits are counted together again");
    this.#down = false;
  }

  #denies(limits: readonly StoreBound[]): boolean {
    return limits.some(({ onStoreError = this.#onStoreError }) => onStoreError === "deny");
  }

  #without(group: string, claims: readonly Claim[], limits: readonly StoreBound[]): Decided {
    if (this.#denies(limits)) throw storeUnavailable();
    if (!this.#down) this.#log.warn("the store of the counters cannot be asked: this process counts by itself");
    this.#down = true;
    return { claimed: this.#own.claim(group, claims), by: this.#own };
  }
}

const none: readonly Claim[] = [];

const same = (claims: readonly Claim[]): readonly Claim[] => claims;

export const storeUnavailable = (): GatewayError =>
  new GatewayError("limit_store_unavailable", "Limits cannot be looked at right now: try again in a few seconds.", {
    retryAfterSeconds: 5,
  });
