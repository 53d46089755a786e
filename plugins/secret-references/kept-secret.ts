import { GatewayError } from "../../core/index.ts";
import { type LastValue, servesFor } from "./last-values.ts";
import type { SecretContent } from "./secret-content.ts";

export interface KeptSecretInput {
  readonly fetch: () => Promise<SecretContent>;
  /** Told of each failure; `servedFor` is how old the value is, in milliseconds, that is used all the same. */
  readonly failed: (error: unknown, servedFor: number | undefined) => void;
  /** What was fetched before a reload, which serves where nothing newer is to be had. */
  readonly last?: () => LastValue | undefined;
  /** Told what was fetched. */
  readonly keep?: (value: LastValue) => void;
  /** Told what is not to serve any more. */
  readonly forget?: (content: SecretContent) => void;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** How values are kept (operations.md section 10.5), in milliseconds. */
const minute = 60_000;
const renewAfter = 4 * minute;
const freshFor = 5 * minute;
/** After a failure it is not tried again for so long: with a value at hand, and without. */
const pauses = { withValue: 30_000, without: 1_000 } as const;
const timeout = 5_000;

/**
 * What a manager holds under one reference: fetched when it is first asked for, once for all who ask at the same time, and
 * renewed beside the requests that use it. While the manager fails, the last value serves for an hour.
 */
export class KeptSecret {
  readonly #input: KeptSecretInput;
  readonly #now: () => number;
  #content: SecretContent | undefined;
  #fetchedAt = 0;
  /** It was fetched before a reload: whoever saw to it that a secret was replaced, and reloads, means the new one. */
  #isFromBefore: boolean;
  #fetching: Promise<SecretContent> | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  constructor(input: KeptSecretInput) {
    this.#input = input;
    this.#now = input.now ?? Date.now;
    this.#isFromBefore = input.last?.() !== undefined;
  }

  /** A promise only where it has to be fetched first. */
  content(): SecretContent | Promise<SecretContent> {
    if (this.#isFromBefore) this.#readLast();
    const age = this.#now() - this.#fetchedAt;
    if (!this.#content || age >= servesFor) return this.#paused(pauses.without) ?? this.#fetch();
    if (age < renewAfter && !this.#isFromBefore) return this.#content;
    // Nobody waits for a manager that is known to be in trouble.
    if ((age < freshFor && !this.#isFromBefore) || this.#failure) {
      if (!this.#paused(pauses.withValue)) this.#fetch().catch(() => undefined);
      return this.#content;
    }
    const last = this.#content;
    return this.#fetch().catch(() => last);
  }

  /** Forgets the value where it was refused: `isShown` says whether the one at hand, or none, is what was shown there. */
  drop(isShown: (content: SecretContent | undefined) => boolean = () => true): void {
    const content = this.#content;
    if (!isShown(content)) return;
    if (content) this.#input.forget?.(content);
    this.#content = undefined;
    this.#fetching = undefined;
    this.#failure = undefined;
  }

  /** The generation before may renew it meanwhile, or have it refused. */
  #readLast(): void {
    const last = this.#input.last?.();
    this.#content = last?.content;
    this.#fetchedAt = last?.at ?? 0;
  }

  #paused(pause: number): Promise<never> | undefined {
    if (!this.#failure || this.#now() - this.#failure.at >= pause) return undefined;
    const rejected = Promise.reject(this.#failure.error);
    rejected.catch(() => undefined);
    return rejected;
  }

  #fetch(): Promise<SecretContent> {
    if (this.#fetching) return this.#fetching;
    const fetching: Promise<SecretContent> = this.#tried().then(
      (content) => {
        if (this.#fetching !== fetching) return content;
        this.#fetching = undefined;
        this.#failure = undefined;
        this.#content = content;
        this.#fetchedAt = this.#now();
        this.#isFromBefore = false;
        this.#input.keep?.({ content, at: this.#fetchedAt });
        return content;
      },
      (error: unknown) => {
        if (this.#fetching === fetching) this.#fetching = undefined;
        const age = this.#now() - this.#fetchedAt;
        this.#failure = { error, at: this.#now() };
        this.#input.failed(error, this.#content && age < servesFor ? age : undefined);
        throw error;
      },
    );
    this.#fetching = fetching;
    return fetching;
  }

  /** Once more where that may help. */
  async #tried(): Promise<SecretContent> {
    try {
      return await inTime(this.#input.fetch());
    } catch (error) {
      if (error instanceof GatewayError && !error.row.retryable) throw error;
      return inTime(this.#input.fetch());
    }
  }
}

/** Rejects when the manager takes too long. */
async function inTime<Value>(fetching: Promise<Value>): Promise<Value> {
  let clock: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    clock = setTimeout(
      () => reject(new GatewayError("request_timeout", `There was no answer within ${timeout} ms.`)),
      timeout,
    );
  });
  try {
    return await Promise.race([fetching, late]);
  } finally {
    clearTimeout(clock);
  }
}
