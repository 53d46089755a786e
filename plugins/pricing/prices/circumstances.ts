/** What a price depends on besides what was used. */
export interface Circumstances {
  /** Part of a provider's batch job. */
  readonly batch?: boolean | undefined;
  /** How many calls were made; one unless said otherwise. */
  readonly calls?: number | undefined;
  /** The service tier; only asked for where prices depend on it. */
  tier?(): string | undefined;
  /** Quality and size of images; only asked for where prices depend on them. */
  image?(): { readonly quality?: string | undefined; readonly size?: string | undefined };
  /** Whether the request may show such a thing: false where it cannot; only asked for where prices depend on it. */
  mayShow?(kind: "image" | "video"): boolean;
  /** How much searches of the web bring in (`low`, `medium`, `high`); only asked for where prices depend on it. */
  searchContext?(): string | undefined;
}
