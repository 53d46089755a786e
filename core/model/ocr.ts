import type { Extra } from "./content.ts";
import type { Usage } from "./usage.ts";

/** A document to be read (inference-api.md section 15.3). */
export interface OcrRequest {
  readonly model: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** The first is 0; absent is all. A text has numbers and ranges of them: `0,2-4`. */
  readonly pages?: readonly number[] | string;
  readonly includeImages?: boolean;
  readonly extra?: Extra;
}

export interface OcrPage {
  readonly index: number;
  readonly markdown: string;
  /** Images, dimensions and whatever else the vendor says of the page. */
  readonly extra?: Extra;
}

export interface OcrResponse {
  readonly model?: string;
  readonly pages: readonly OcrPage[];
  readonly usage?: Usage;
  readonly extra?: Extra;
}
