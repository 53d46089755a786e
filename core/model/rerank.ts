import type { Extra } from "./content.ts";
import type { Usage } from "./usage.ts";

/** A text to rank, or an object with one (`{ text, title? }`) as the client wrote it. */
export type RerankDocument = string | Readonly<Record<string, unknown>>;

/** Documents to be put in the order in which they answer a query (providers.md section 19). */
export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  /** At least one. */
  readonly documents: readonly RerankDocument[];
  /** How many results are wanted; absent is all. */
  readonly topN?: number;
  /** Whether results repeat their documents. */
  readonly returnDocuments?: boolean;
  /** Documents longer than this many tokens are cut. */
  readonly maxTokensPerDoc?: number;
  readonly extra?: Extra;
}

export interface RerankResult {
  /** The place of the document in the request. */
  readonly index: number;
  readonly score: number;
  /** The document as the vendor repeats it. */
  readonly document?: RerankDocument;
}

export interface RerankResponse {
  readonly id?: string;
  readonly model?: string;
  /** The best first. */
  readonly results: readonly RerankResult[];
  readonly usage?: Usage;
  readonly extra?: Extra;
  /** The vendor's own body: unified answers hold it beside their own fields (inference-api.md section 15.2). */
  readonly body?: Readonly<Record<string, unknown>>;
}
