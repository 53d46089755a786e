import type { FinishReason } from "./chat.ts";
import type { Extra } from "./content.ts";
import type { Usage } from "./usage.ts";

/** The canonical text completion request (the legacy prompt-in, text-out call). */
export interface CompletionRequest {
  readonly model: string;
  /** Text, several texts, or token ids. Absent is the vendor's end-of-text marker. */
  readonly prompt?: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  readonly stream: boolean;
  readonly includeUsage?: boolean;
  readonly bestOf?: number;
  readonly echo?: boolean;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly logitBias?: Readonly<Record<string, number>>;
  readonly logprobs?: number;
  readonly maxTokens?: number;
  readonly n?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly suffix?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly user?: string;
  readonly extra?: Extra;
}

export interface CompletionChoice {
  readonly index: number;
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly rawFinishReason?: string;
  /** Log probabilities in the OpenAI completions shape, untouched. */
  readonly logprobs?: unknown;
}

export interface CompletionResponse {
  readonly id?: string;
  readonly model?: string;
  readonly created?: number;
  readonly choices: readonly CompletionChoice[];
  readonly usage?: Usage;
  readonly extra?: Extra;
}
