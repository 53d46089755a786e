import type { Extra } from "./content.ts";
import type { Usage } from "./usage.ts";

/** Something to be judged (inference-api.md section 15.1). */
export interface ModerationRequest {
  readonly model: string;
  /** A text, texts, or parts with texts and images as the client wrote them. */
  readonly input: string | readonly (string | Readonly<Record<string, unknown>>)[];
  readonly extra?: Extra;
}

export interface ModerationResult {
  readonly flagged: boolean;
  readonly categories: Readonly<Record<string, unknown>>;
  readonly scores: Readonly<Record<string, unknown>>;
  readonly extra?: Extra;
}

export interface ModerationResponse {
  readonly id?: string;
  readonly model?: string;
  readonly results: readonly ModerationResult[];
  readonly usage?: Usage;
  readonly extra?: Extra;
}
