import type { Extra } from "./content.ts";

/** How many tokens a chat request would be, as the vendor's own tokenizer counts them. Nothing is generated or billed. */
export interface CountResponse {
  readonly inputTokens: number;
  /** A count is none. */
  readonly usage?: never;
  readonly extra?: Extra;
}
