/** Fields of one wire format that the canonical model has no name for. They return only to the format they came from. */
export interface Extra {
  readonly format: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A prompt-cache breakpoint. `ttl` as the client wrote it (`5m`, `1h`); absent is the vendor's default. */
export interface CacheMarker {
  readonly ttl?: string;
  /** As OpenAI's formats say it (`prompt_cache_breakpoint`), where it was written in one of them; `beside` the marker above or alone. */
  readonly breakpoint?: {
    readonly format: string;
    readonly wire: Readonly<Record<string, unknown>>;
    readonly beside?: true;
  };
}

/** Where the bytes of an image, a document or a sound are. `data` is base64, without a `data:` prefix. */
export type Source =
  | { readonly kind: "url"; readonly url: string; readonly mediaType?: string }
  | { readonly kind: "data"; readonly data: string; readonly mediaType: string }
  | { readonly kind: "text"; readonly text: string; readonly mediaType: string }
  | { readonly kind: "file"; readonly fileId: string; readonly mediaType?: string };

interface PartBase {
  readonly cache?: CacheMarker;
  readonly extra?: Extra;
}

export interface TextPart extends PartBase {
  readonly type: "text";
  readonly text: string;
  /** Citations as the vendor wrote them, in the format named by the part's `extra`. */
  readonly citations?: readonly unknown[];
}
export interface ImagePart extends PartBase {
  readonly type: "image";
  readonly source: Source;
  readonly detail?: string;
}
export interface AudioPart extends PartBase {
  readonly type: "audio";
  readonly source: Source;
}
export interface DocumentPart extends PartBase {
  readonly type: "document";
  readonly source: Source;
  readonly name?: string;
}
export interface ThinkingPart extends PartBase {
  readonly type: "thinking";
  readonly text: string;
  /** Opaque proof of origin. It goes back to the vendor byte for byte. */
  readonly signature?: string;
  /** The format whose vendors verify the signature; others refuse it. Absent where nobody knows. */
  readonly signer?: string;
}
export interface RedactedThinkingPart extends PartBase {
  readonly type: "redacted-thinking";
  readonly data: string;
}
export interface RefusalPart extends PartBase {
  readonly type: "refusal";
  readonly text: string;
}
/** A function the model asks for. `arguments` is the JSON text exactly as the model wrote it. */
export interface ToolCallPart extends PartBase {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** A tool that takes free text is called: the arguments are `{"input": "…"}`. */
  readonly custom?: true;
}
export interface ToolResultPart extends PartBase {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly content: readonly ContentPart[];
  readonly isError?: boolean;
}
/** A block only one format knows (server tools, search results). `value` is its wire JSON, untouched. */
export interface OpaquePart {
  readonly type: "opaque";
  readonly format: string;
  readonly value: unknown;
  /** The same in words that other formats have. */
  readonly ran?: RanCode;
  /** Among what the model says: its client tells of it, as of what a tool found that the client ran. */
  readonly told?: true;
  /** In a stream: its texts are pieces, which go on at the same places of the next such part of the choice. */
  readonly goesOn?: true;
}
/** Code that the vendor ran for the model, or what came of it: mostly two parts that follow each other. */
export interface RanCode {
  /** Both have the same. */
  readonly id: string;
  readonly code?: string;
  /** In lower case: `python`. */
  readonly language?: string;
  /** What it printed, or why it failed. */
  readonly output?: string;
  readonly failed?: true;
}

/** What operators say. */
export type InstructionPart = TextPart | OpaquePart;
/** What people and tools say. */
export type ContentPart = TextPart | ImagePart | AudioPart | DocumentPart | OpaquePart;
/** What models say. */
export type AssistantPart =
  | TextPart
  | ImagePart
  | AudioPart
  | ThinkingPart
  | RedactedThinkingPart
  | RefusalPart
  | ToolCallPart
  | OpaquePart;
