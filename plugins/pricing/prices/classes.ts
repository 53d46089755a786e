import type { Usage } from "../../../core/index.ts";

/** Usage may be the sum of several calls. */
type Count = (usage: Usage, calls: number) => number;

/** A kind of thing that is paid for, and whose price is taken where its own is missing (policies.md section 9.3). */
export interface PricedClass {
  /** Price key. */
  readonly key: string;
  readonly count: Count;
  readonly side: "request" | "response" | "beside";
  /** Keys whose price is taken, in this order, where there is none of its own. */
  readonly instead?: readonly string[];
  /** The class it is a part of, as long as it has no price and no multiplier of its own. */
  readonly within?: string;
  /** Keys of multipliers that are meant, too, in this order. */
  readonly multipliers?: readonly string[];
}

const request = "request_token";
const response = "response_token";
export const fileSearch = "file_search";
export const videoSeconds = "video_seconds";

/** Tokens, seconds, pages, searches: all that is multiplied by a price. */
export const classes: readonly PricedClass[] = [
  { key: request, side: "request", count: (usage) => usage.inputTokens ?? 0, multipliers: ["request_text_token"] },
  { key: "request_image_token", side: "request", count: (usage) => usage.inputImageTokens ?? 0, within: request },
  { key: "request_video_token", side: "request", count: (usage) => usage.inputVideoTokens ?? 0, within: request },
  {
    key: "cache_read_input_token",
    side: "request",
    count: (usage) => usage.cacheReadTokens ?? 0,
    instead: [request],
    multipliers: ["cache_read_text_input_token"],
  },
  {
    key: "cache_read_audio_input_token",
    side: "request",
    count: (usage) => usage.cacheReadAudioTokens ?? 0,
    within: "cache_read_input_token",
  },
  {
    key: "cache_read_image_input_token",
    side: "request",
    count: (usage) => usage.cacheReadImageTokens ?? 0,
    within: "cache_read_input_token",
  },
  {
    key: "cache_write_input_token",
    side: "request",
    count: (usage) => usage.cacheWriteTokens ?? 0,
    instead: [request],
    multipliers: ["cache_write_text_input_token"],
  },
  {
    key: "cache_write_input_token_1h",
    side: "request",
    count: (usage) => usage.cacheWriteHourTokens ?? 0,
    within: "cache_write_input_token",
    multipliers: ["cache_write_text_input_token", "cache_write_input_token"],
  },
  { key: "request_audio_token", side: "request", count: (usage) => usage.inputAudioTokens ?? 0, instead: [request] },
  { key: response, side: "response", count: (usage) => usage.outputTokens ?? 0, multipliers: ["response_text_token"] },
  {
    key: "response_image_token",
    side: "response",
    count: (usage) => usage.outputImageTokens ?? 0,
    within: response,
    multipliers: ["image_token"],
  },
  { key: "response_video_token", side: "response", count: (usage) => usage.outputVideoTokens ?? 0, within: response },
  {
    key: "prediction_accepted_token",
    side: "response",
    count: (usage) => usage.acceptedPredictionTokens ?? 0,
    within: response,
  },
  {
    key: "prediction_rejected_token",
    side: "response",
    count: (usage) => usage.rejectedPredictionTokens ?? 0,
    within: response,
  },
  {
    key: "response_audio_token",
    side: "response",
    count: (usage) => usage.outputAudioTokens ?? 0,
    instead: [response],
  },
  {
    key: "reasoning_token",
    side: "response",
    count: (usage) => usage.reasoningTokens ?? 0,
    instead: ["thinking_token", response],
  },
  { key: "web_search", side: "beside", count: (usage) => usage.searches ?? 0 },
  { key: fileSearch, side: "beside", count: (usage) => usage.fileSearches ?? 0 },
  { key: "search", side: "beside", count: (usage) => usage.searchUnits ?? 0 },
  { key: "audio_second", side: "beside", count: (usage) => usage.audioSeconds ?? 0 },
  { key: videoSeconds, side: "beside", count: (usage) => usage.videoSeconds ?? 0 },
  { key: "video", side: "beside", count: (usage) => usage.videos ?? 0 },
  { key: "page", side: "beside", count: (usage) => usage.pages ?? 0 },
  { key: "annotated_page", side: "beside", count: (usage) => usage.annotatedPages ?? 0, within: "page" },
  { key: "request", side: "beside", count: (_, calls) => calls },
];

/** Keys of prices per token; all others are additional units. */
export const tokenKeys: ReadonlySet<string> = new Set(
  classes.filter(({ side }) => side !== "beside").map(({ key }) => key),
);

/** Whether an answer used anything that could cost. What was charged for was something, counted or not. */
export const isNothing = (usage: Usage): boolean =>
  (usage.images ?? 0) === 0 &&
  (usage.charged ?? []).every((amount) => Number(amount) === 0) &&
  classes.every(({ key, count }) => key === "request" || count(usage, 1) === 0);

/** Tokens of the whole prompt: what the length of a context is measured by. */
export const promptTokens = (usage: Usage): number =>
  (usage.inputTokens ?? 0) +
  (usage.cacheReadTokens ?? 0) +
  (usage.cacheWriteTokens ?? 0) +
  (usage.inputAudioTokens ?? 0);
