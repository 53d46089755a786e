/** What those who keep a provider say of the price of a model (control-plane.md sections 1.11 and 7.5). */
export interface StoredPricing {
  /** A pricing object, in cents: its prices go before those of catalogues, key by key. */
  readonly prices?: Readonly<Record<string, unknown>>;
  /** A model of one's own: a catalogue that has one of a similar name does not mean it. */
  readonly own: boolean;
  /** What prices are multiplied by, by price key. */
  readonly multiplier?: Readonly<Record<string, unknown>>;
}
