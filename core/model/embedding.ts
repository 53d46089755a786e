import type { Extra } from "./content.ts";
import type { Usage } from "./usage.ts";

/**
 * One thing to embed: text, token ids, or an item with images and sound as the client wrote it, `{text, image, video,
 * audio}`; where it has several of a kind, or in another order, `{parts}` is a list of such items.
 */
export type EmbeddingInput = string | readonly number[] | Readonly<Record<string, unknown>>;

/** What vectors are for, whatever it is called. */
export type Purpose = "query" | "document" | "classification" | "clustering" | "similarity";

/** The words a vendor has for purposes; those it has none for are missing. */
export type PurposeWords = { readonly [One in Purpose]?: string };

export interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly EmbeddingInput[];
  /** True when the client sent one bare item rather than a list of one. */
  readonly single: boolean;
  readonly encoding?: "float" | "base64";
  readonly dimensions?: number;
  /** What the vectors are for (`search_query`, …), where the vendor has the notion. */
  readonly inputType?: string;
  readonly user?: string;
  readonly extra?: Extra;
}

export interface Embedding {
  readonly index: number;
  /** Numbers, or little-endian float32 as base64 when that was asked for. */
  readonly vector: readonly number[] | string;
  /** Where the vendor embeds the parts of an item apart: `vector` is the first of these. */
  readonly parts?: EmbeddedParts;
}

export interface EmbeddedParts {
  readonly text?: readonly number[] | string;
  readonly image?: readonly number[] | string;
  /** A vector for each segment, and its bounds in seconds. */
  readonly video?: readonly { readonly vector: readonly number[]; readonly start?: number; readonly end?: number }[];
}

export interface EmbeddingResponse {
  readonly model?: string;
  readonly data: readonly Embedding[];
  readonly usage?: Usage;
  readonly extra?: Extra;
}
