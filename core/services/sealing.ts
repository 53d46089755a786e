import { serviceToken } from "../plugin.ts";

/** Encrypts what must not lie about in the clear (operations.md section 11). */
export interface SealingService {
  /**
   * Text as it may be kept: AES-256-GCM under a data key of the organisation, good only beside the id of its record.
   * Begins with `v1:`.
   */
  seal(organisation: string, record: string, text: string): Promise<string>;
  /** Rejects where the text was not sealed for this record, or its key is not to be had. */
  open(organisation: string, record: string, sealed: string): Promise<string>;
}

export const Sealing = serviceToken<SealingService>("sealing");
