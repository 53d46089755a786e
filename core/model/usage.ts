/**
 * What an answer used, in disjoint buckets: every token is in exactly one of them.
 * A bucket nobody reported is absent; it is not zero.
 */
export interface Usage {
  /** Prompt tokens read neither from nor into a cache. */
  readonly inputTokens?: number;
  /** Prompt tokens read from a cache. */
  readonly cacheReadTokens?: number;
  /** Prompt tokens written to a cache (all lifetimes together). */
  readonly cacheWriteTokens?: number;
  /** The part of `cacheWriteTokens` written for one hour, where the vendor says so. */
  readonly cacheWriteHourTokens?: number;
  /** Visible answer tokens: reasoning and audio are not in here when they were reported. */
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
  readonly inputAudioTokens?: number;
  readonly outputAudioTokens?: number;
  /** Parts of `inputTokens` and of `outputTokens` that were images, and of `cacheReadTokens` that were sound, and images. */
  readonly inputImageTokens?: number;
  readonly outputImageTokens?: number;
  /** The same of moving pictures. */
  readonly inputVideoTokens?: number;
  readonly outputVideoTokens?: number;
  readonly cacheReadAudioTokens?: number;
  readonly cacheReadImageTokens?: number;
  /** Predicted-output tokens, informational: they are part of `outputTokens`. */
  readonly acceptedPredictionTokens?: number;
  readonly rejectedPredictionTokens?: number;
  /** Tokens the vendor bills, where it says so beside what it read and wrote: prices are of these, limits of all. */
  readonly billedInputTokens?: number;
  readonly billedOutputTokens?: number;
  /** Web searches the vendor ran for this answer. */
  readonly searches?: number;
  /** Pages of the web the vendor fetched for this answer. */
  readonly fetches?: number;
  /** Searches of files the vendor keeps, for this answer. */
  readonly fileSearches?: number;
  /** What rerankers count: a query with up to so many documents is one. */
  readonly searchUnits?: number;
  /** Images made. */
  readonly images?: number;
  /** Videos made, and how many seconds they last. */
  readonly videos?: number;
  readonly videoSeconds?: number;
  /** Their width and height (`1280x720`), where the vendor says it: prices may depend on it. */
  readonly videoSize?: string;
  /** Seconds of sound that were written down. */
  readonly audioSeconds?: number;
  /** Pages that were read, and those of them whose content was put into a shape that was asked for. */
  readonly pages?: number;
  readonly annotatedPages?: number;
  /** The service tier that the answer says it was served in, as the vendor calls it: prices may depend on it. */
  readonly serviceTier?: string;
  /** Where the answer says it was computed, as the vendor calls it (`us`), where that is not anywhere: prices may depend on it. */
  readonly inferenceGeo?: string;
  /** What the answer says was charged for it, in US dollars: decimal texts that add up. Only some providers are to be believed. */
  readonly charged?: readonly string[];
  /** It was billed as less than what is counted here, and nobody says how much less. */
  readonly repriced?: true;
  /** Part of it was of other models than the one that answered, at their prices. */
  readonly otherModels?: true;
  /** What each of several models used that answered together, as the answer says it: all of it, each at its own price. */
  readonly byModel?: readonly ModelUsage[];
  /** Something was used besides that is paid for, and counted nowhere: images that a tool drew, containers in which code ran. */
  readonly uncounted?: true;
  /** The provider reported none: the gateway counted itself. */
  readonly estimated?: true;
}

export interface ModelUsage {
  readonly model: string;
  readonly usage: Usage;
}

/**
 * What a call cost, or an exchange: then the sum of its calls. `amount` is an exact decimal in US dollars with up to twelve
 * places, written as text; absent means unknown, which is not nothing.
 */
export interface Cost {
  readonly amount?: string;
  /** Of what is not known as a whole, what is known of it: budgets are raised by that. */
  readonly atLeast?: string;
  /** What it would cost at prices that are higher than those it is charged at: budgets are raised by that, where nobody knows better. */
  readonly atMost?: string;
  readonly currency: "USD";
  /** Where the prices are from: `catalogue`, `config`, `model` (of an integration), `provider` (what it says), `cache`, `none`. */
  readonly source: string;
  /** The usage behind it was counted by the gateway. */
  readonly estimated?: true;
}
