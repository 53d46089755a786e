import type { AssistantPart, CacheMarker, ContentPart, Extra, InstructionPart, ToolResultPart } from "./content.ts";
import type { Usage } from "./usage.ts";

/** Instructions. `developer` differs from `system` only for vendors that know the difference. */
export interface SystemMessage {
  readonly role: "system" | "developer";
  readonly content: readonly InstructionPart[];
  readonly name?: string;
  readonly extra?: Extra;
}
export interface UserMessage {
  readonly role: "user";
  readonly content: readonly ContentPart[];
  readonly name?: string;
  readonly extra?: Extra;
}
export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantPart[];
  readonly name?: string;
  readonly extra?: Extra;
}
/** Answers to the tool calls of the assistant message before it, in the client's order. */
export interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultPart[];
  readonly extra?: Extra;
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** What a client says of a tool that takes free text, for the formats that have such tools. */
export interface CustomTool {
  /** In the client's own words. */
  readonly description?: string;
  /** What the text has to match. */
  readonly grammar?: { readonly syntax: string; readonly definition: string };
}
/** A function the model may call; or, with `native`, a tool only one format knows, as its wire JSON. */
export interface FunctionTool {
  readonly type: "function";
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments, as the client wrote it. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly strict?: boolean;
  /** The client declared a tool that takes free text: as a function it takes that as `input`. */
  readonly custom?: CustomTool;
  readonly cache?: CacheMarker;
  readonly extra?: Extra;
}
export interface NativeTool {
  readonly type: "native";
  readonly format: string;
  readonly value: unknown;
}
export type Tool = FunctionTool | NativeTool;

export type ToolChoice =
  | { readonly type: "auto" | "none" | "required" }
  | { readonly type: "tool"; readonly name: string; readonly custom?: true }
  /** Of all tools only the functions of these names may be called, and where `required`, one of them has to be. */
  | { readonly type: "among"; readonly required: boolean; readonly names: readonly string[] };

export type ResponseFormat =
  | { readonly type: "text" | "json" }
  | {
      readonly type: "json-schema";
      readonly name?: string;
      readonly description?: string;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly strict?: boolean;
    };

/** How much the model may think. `mode` is the explicit switch, `effort` the coarse knob; an explicit mode wins. */
export interface Reasoning {
  readonly mode?: "enabled" | "disabled" | "adaptive";
  readonly effort?: string;
  /** Thinking was switched on beside the effort, which says more to those who know efforts: `mode` is absent then. */
  readonly switchedOn?: true;
  readonly budgetTokens?: number;
  /** How thinking is shown (`summarized`, `omitted`), where the vendor has the choice. */
  readonly display?: string;
}

/** The canonical chat request. Absent means the client did not say; nothing is filled in while decoding. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly stream: boolean;
  /** Whether the client asked for usage in the stream (`stream_options.include_usage`). */
  readonly includeUsage?: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly n?: number;
  readonly stop?: readonly string[];
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly logitBias?: Readonly<Record<string, number>>;
  readonly logprobs?: boolean;
  readonly topLogprobs?: number;
  readonly seed?: number;
  readonly responseFormat?: ResponseFormat;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  /** The client can read one call a message only: vendors who can be asked for that are. Nothing is lost with those who cannot. */
  readonly oneCall?: true;
  readonly user?: string;
  readonly reasoning?: Reasoning;
  readonly serviceTier?: string;
  readonly extra?: Extra;
}

export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "other";

export interface Choice {
  readonly index: number;
  /** In the order the model produced them. Empty text parts do not exist. */
  readonly content: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  /** The vendor's own word for it (`end_turn`, `STOP`), shown when the client is not strict. */
  readonly rawFinishReason?: string;
  /** The stop sequence that ended the answer, where the vendor names it. */
  readonly stopSequence?: string;
  /** Log probabilities in the OpenAI shape, untouched. */
  readonly logprobs?: unknown;
  readonly extra?: Extra;
}

/**
 * What the vendor's moderation found in what was asked, or in what was answered: a list with what it says of each thing it looked at,
 * `flagged` among it; or an object that says why it could not.
 */
export type ModerationFindings = readonly Readonly<Record<string, unknown>>[] | Readonly<Record<string, unknown>>;

/** For clients that asked for it beside the answer. */
export interface Moderated {
  readonly input?: ModerationFindings;
  readonly output?: ModerationFindings;
}

export interface ChatResponse {
  /** The vendor's id; absent when it gave none. */
  readonly id?: string;
  /** The model that answered, as the vendor names it; absent when it did not say. */
  readonly model?: string;
  /** Unix seconds; absent when the vendor did not say. */
  readonly created?: number;
  readonly choices: readonly Choice[];
  readonly moderation?: Moderated;
  readonly usage?: Usage;
  readonly extra?: Extra;
}
