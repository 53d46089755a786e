/** A credential that expires. */
export interface Token {
  readonly text: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Gives the token of now: from memory while it is good, else once it has been fetched. Rejects as the fetch does. */
export type TokenSource = () => Promise<Token>;

export interface TokenSourceInput {
  readonly fetch: () => Promise<Token>;
  /** A token older than this is renewed, however long it is good for, in milliseconds. */
  readonly renewAfter?: number;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** A token is renewed, at the latest, this long before it expires. */
const margin = 60_000;
/** How long a fetch that failed is not repeated: with a good token at hand, and without. */
const pauses = { whileGood: 30_000, without: 1_000 } as const;

/**
 * Keeps one token: one fetch at a time, renewed beside the calls before it expires. While renewing fails, the last one
 * goes on being used until it expires.
 */
export function tokenSource({ fetch, renewAfter = Number.POSITIVE_INFINITY, now = Date.now }: TokenSourceInput) {
  let token: Token | undefined;
  let renewAt = 0;
  let fetching: Promise<Token> | undefined;
  let failed: { readonly error: unknown; readonly until: number } | undefined;

  const renew = (): Promise<Token> => {
    fetching ??= fetch()
      .then(keep, fail)
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  };
  const keep = (fresh: Token): Token => {
    token = fresh;
    renewAt = Math.min(now() + renewAfter, fresh.expiresAt - margin);
    failed = undefined;
    return fresh;
  };
  const fail = (error: unknown): never => {
    failed = { error, until: now() + (isGood() ? pauses.whileGood : pauses.without) };
    throw error;
  };
  const isGood = (): boolean => token !== undefined && token.expiresAt > now();

  return function current(): Promise<Token> {
    const paused = failed !== undefined && failed.until > now();
    if (token && isGood()) {
      if (now() >= renewAt && !paused) renew().catch(kept);
      return Promise.resolve(token);
    }
    return paused ? Promise.reject(failed?.error) : renew();
  };
}

/** The failure of a renewal is told once there is no good token left. */
function kept(): void {}
