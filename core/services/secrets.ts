import { serviceToken } from "../service-token.ts";

/** Secrets that lie elsewhere: in the environment, in files, in vaults. */
export interface SecretsService {
  /**
   * The value behind a secret reference, by id or slug, that a workspace may use (undefined: any of the organisation);
   * `key` is the member of a secret with several. A promise only where it has to be fetched: values are kept for minutes,
   * and for longer while their manager is down. Rejects with `secret_unresolved`, whose `param` is the reference as it was
   * named, or with `store_unavailable`; never does it hold a value.
   */
  value(organisation: string, workspace: string | undefined, reference: string, key?: string): string | Promise<string>;
  /**
   * The vendor refused what this reference gave: it is fetched anew when it is next asked for. `value` is what it gave, under
   * `key`: where it gives another one by now, that one stays. Without it, whatever it gives is fetched anew.
   */
  refused(organisation: string, reference: string, key?: string, value?: string): void;
}

export const Secrets = serviceToken<SecretsService>("secrets");
