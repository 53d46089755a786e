import type { Format } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { cohereChat } from "../../plugins/format-cohere-chat/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";

export const chatFormats: readonly Format<"chat">[] = [
  openAiChat,
  openAiResponses,
  anthropicMessages,
  gemini,
  cohereChat,
  bedrockConverse,
];

/** Every chat format before every other, itself included. */
export const pairs = chatFormats.flatMap((upstream) => chatFormats.map((client) => ({ upstream, client })));
