/**
 * Requests and answers as the vendors' own SDKs declare them. Types of Google and Amazon are those of objects in a
 * program: on the wire bytes are base64, and members of an enumeration are their strings. The REST API of Google takes the
 * types of a schema in lower case, too, as its own examples have them.
 */
export const declarations = `
import type OpenAI from "openai";
import type Anthropic from "@anthropic-ai/sdk";
import type * as Google from "@google/genai";
import type * as Cohere from "./node_modules/cohere-ai/serialization/index";
import type * as Bedrock from "@aws-sdk/client-bedrock-runtime";

type Wire<T> = unknown extends T ? unknown
  : T extends Google.Type ? \`\${T}\` | Lowercase<\`\${T}\`>
  : T extends string ? \`\${T}\`
  : T extends Uint8Array ? string
  : T extends readonly (infer Item)[] ? Wire<Item>[]
  : T extends object ? { [Key in keyof T]: Wire<T[Key]> }
  : T;

type Content = Wire<Google.Content>;
type Config = Google.GenerateContentConfig;
interface GenerateContent extends Wire<Pick<Config, "safetySettings" | "cachedContent" | "labels" | "serviceTier">> {
  contents: Content[];
  systemInstruction?: Content;
  tools?: Wire<Google.Tool>[];
  toolConfig?: Wire<Google.ToolConfig>;
  generationConfig?: Wire<Google.GenerationConfig & Pick<Config, "imageConfig">>;
}
type GenerateContentAnswer = Wire<Pick<Google.GenerateContentResponse,
  "candidates" | "createTime" | "modelVersion" | "promptFeedback" | "responseId" | "usageMetadata" | "modelStatus">>;
interface CountTokens {
  contents?: Content[];
  generateContentRequest?: GenerateContent & { model: string };
}
interface EmbedContent extends Pick<Google.EmbedContentConfig, "taskType" | "title" | "outputDimensionality"> {
  content: Content;
}
type Form<Params> = Params extends unknown ? Omit<Params, "file"> : never;

/** Fields that may be null are fields that may be absent: the SDKs read them alike. */
type Told<T> = T extends readonly (infer Item)[] ? Told<Item>[]
  : T extends object
    ? { [Key in keyof T as null extends T[Key] ? never : Key]: Told<T[Key]> } &
        { [Key in keyof T as null extends T[Key] ? Key : never]?: Told<T[Key]> }
    : T;
`;

/** An expression for each direction of a chat format; where streams are asked for with other fields, one more. */
export interface Shape {
  readonly whole: string;
  readonly streamed?: string;
  readonly answer: string;
}

/** By the name of the format. */
export const chatShapes: Readonly<Record<string, Shape>> = {
  "openai-chat": { whole: "OpenAI.ChatCompletionCreateParams", answer: "OpenAI.ChatCompletion" },
  "openai-responses": {
    whole: "OpenAI.Responses.ResponseCreateParams",
    answer: 'Omit<OpenAI.Responses.Response, "output_text">',
  },
  "anthropic-messages": { whole: "Anthropic.MessageCreateParams", answer: "Anthropic.Message" },
  gemini: { whole: "GenerateContent", answer: "GenerateContentAnswer" },
  "cohere-chat": {
    whole: "Cohere.V2ChatRequest.Raw & { stream?: false }",
    streamed: "Cohere.V2ChatStreamRequest.Raw & { stream: true }",
    answer: "Cohere.V2ChatResponse.Raw",
  },
  "bedrock-converse": {
    whole: 'Wire<Omit<Bedrock.ConverseRequest, "modelId">>',
    streamed: 'Wire<Omit<Bedrock.ConverseStreamRequest, "modelId">>',
    answer: "Wire<Bedrock.ConverseResponse>",
  },
};
