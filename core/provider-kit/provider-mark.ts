/** What a provider is, for comparing. */
export interface ProviderMark {
  /**
   * Another one where its address, a credential or an option of the vendor's is another. Good for comparing in this process,
   * over reloads.
   */
  readonly text: string;
  /** Since when what is kept of it is so, Unix milliseconds, which all gateways know; undefined of one of the file. */
  readonly changedAt?: number | undefined;
}
