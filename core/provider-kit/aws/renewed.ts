/** Credentials as AWS's libraries hand them out. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

/** Asked before every call; a promise only where the answer is not at hand. */
export type CredentialSource = () => Credentials | Promise<Credentials>;

/** Credentials are fetched anew this long before they expire, and used as long as they are good. Milliseconds. */
const ahead = 5 * 60_000;
/** For those that do not say when they expire (providers.md section 9.2). */
const unknownLife = 300_000;
/** After a failure, with credentials at hand that are still good, it is not tried again for so long. */
const patience = 10_000;

/** Remembers what `fetch` gives. Whoever comes while it is being fetched waits for the same answer. */
export function renewed(fetch: () => Promise<Credentials>, now: () => number = Date.now): CredentialSource {
  let current: Credentials | undefined;
  let expiresAt = 0;
  let refreshAt = 0;
  let pending: Promise<Credentials> | undefined;

  const fetched = (credentials: Credentials): Credentials => {
    current = credentials;
    expiresAt = credentials.expiration?.getTime() ?? now() + unknownLife;
    // Those that live no longer than that are kept for half of what is left of their life.
    refreshAt = Math.max(expiresAt - ahead, now() + (expiresAt - now()) / 2);
    return credentials;
  };
  const refresh = (): Promise<Credentials> => {
    pending ??= fetch()
      .then(fetched)
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  return () => {
    if (current && now() < refreshAt) return current;
    if (!current || now() >= expiresAt) return refresh();
    refresh().catch(() => {
      refreshAt = now() + patience;
    });
    return current;
  };
}
