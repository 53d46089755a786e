import type { Secret } from "../secrets/secret.ts";

/** What a listener shows who connects, all in PEM. */
export interface TlsSettings {
  readonly key: Secret;
  readonly certificate: string;
  /** Who signs the certificates of clients; where it is there, they have to show one. */
  readonly clientAuthorities: string | undefined;
}
