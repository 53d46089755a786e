import { serviceToken } from "../service-token.ts";

/** Encrypts what must not lie about in the clear (operations.md section 11). */
export interface SealingService {
  /**
   * Text as it may be kept: AES-256-GCM under a data key of the organisation, good only beside the id of its record.
   * Begins with `v1:`.
   */
  seal(organisation: string, record: string, text: string): Promise<string>;
  /**
   * Rejects where the text was not sealed for this record, or its key is not to be had: with a `GatewayError` of the code
   * `secret_unavailable` that says what to do, or a `RecordError` where the store does not answer.
   */
  open(organisation: string, record: string, sealed: string): Promise<string>;
  /**
   * Encrypts the data keys of all organisations under the master key that is in use now, so that older ones may be taken
   * away; `renew` gives each a new data key besides, for what is sealed from then on.
   */
  rotate?(options: { readonly renew: boolean }): Promise<Rotation>;
}

/** What became of the data keys. */
export interface Rotation {
  /** Encrypted anew. */
  readonly rewrapped: number;
  /** Were under the master key in use before. */
  readonly unchanged: number;
  readonly renewed: number;
  /** Why the others are as they were; a line for each. */
  readonly failures: readonly string[];
}

export const Sealing = serviceToken<SealingService>("sealing");
