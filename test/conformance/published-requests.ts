import type { Format, OperationName } from "../../core/index.ts";
import { anthropicCount } from "../../plugins/format-anthropic-messages/index.ts";
import { cohereEmbeddings } from "../../plugins/format-cohere-chat/index.ts";
import { geminiCount, geminiEmbeddings } from "../../plugins/format-gemini/index.ts";
import { audioFormats } from "../../plugins/format-openai-audio/index.ts";
import { openAiCompletions } from "../../plugins/format-openai-completions/index.ts";
import { openAiEmbeddings } from "../../plugins/format-openai-embeddings/index.ts";
import { openAiImages } from "../../plugins/format-openai-images/index.ts";
import { openAiModerations } from "../../plugins/format-openai-moderations/format.ts";
import { inputTokens } from "../../plugins/format-openai-responses/index.ts";
import { rerankFormats } from "../../plugins/format-rerank/index.ts";
import { everything } from "./everything.ts";

export interface Body {
  readonly name: string;
  readonly type: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const ignore = () => undefined;
const bytes = Buffer.from("RIFF");

/** What a vendor of the one format is sent for what a client of the other asks. */
const translated = <Operation extends OperationName>(
  client: Format<Operation>,
  upstream: Format<Operation>,
  wire: unknown,
): Record<string, unknown> => upstream.encodeRequest(client.decodeRequest(wire), ignore);

const texts = { model: "m", input: ["a", "b"], encoding_format: "base64", dimensions: 8, user: "u" };
const searched = { ...texts, input_type: "search_query" };
const [speech, transcriptions, translations] = audioFormats;

const rerank = (name: string): Format<"rerank"> => {
  const found = rerankFormats.find((one) => one.name === name);
  if (!found) throw new Error(`there is no format ${name}`);
  return found;
};

/** Fields of a form stand for themselves: a list under the name without brackets, and no file. */
const formOf = ({ file: _, "timestamp_granularities[]": granularities, ...fields }: Record<string, unknown>) => ({
  ...fields,
  ...(granularities !== undefined && { timestamp_granularities: granularities }),
});

/** The model is in the address. */
const without = ({ model: _, ...body }: Record<string, unknown>) => body;

/** Requests of operations other than chat, with everything in them that our codecs write. */
export const bodies: readonly Body[] = [
  {
    name: "openai-embeddings",
    type: "OpenAI.EmbeddingCreateParams",
    value: translated(openAiEmbeddings, openAiEmbeddings, texts),
  },
  {
    name: "openai-embeddings of gemini",
    type: "OpenAI.EmbeddingCreateParams",
    value: translated(geminiEmbeddings, openAiEmbeddings, {
      model: "m",
      requests: [{ model: "models/m", content: { parts: [{ text: "a" }] }, outputDimensionality: 4 }],
    }),
  },
  {
    name: "cohere-embeddings",
    type: "Cohere.V2EmbedRequest.Raw",
    value: translated(openAiEmbeddings, cohereEmbeddings, { ...searched, truncate: "END", max_tokens: 9, priority: 1 }),
  },
  {
    name: "cohere-embeddings of parts",
    type: "Cohere.V2EmbedRequest.Raw",
    value: translated(openAiEmbeddings, cohereEmbeddings, {
      model: "m",
      input: [{ text: "a", image: { base64: "AAAA" } }, { text: "b" }],
    }),
  },
  {
    name: "gemini-embeddings",
    type: "EmbedContent",
    value: without(translated(openAiEmbeddings, geminiEmbeddings, { ...searched, input: "a" })),
  },
  {
    name: "gemini-embeddings of a list",
    type: "{ requests: (EmbedContent & { model: string })[] }",
    value: without(translated(openAiEmbeddings, geminiEmbeddings, searched)),
  },
  {
    name: "openai-images",
    type: "OpenAI.ImageGenerateParams",
    value: translated(openAiImages, openAiImages, {
      model: "gpt-image-1",
      prompt: "a cat",
      n: 2,
      size: "1024x1024",
      quality: "high",
      style: "vivid",
      response_format: "b64_json",
      output_format: "webp",
      output_compression: 80,
      partial_images: 2,
      user: "u",
      stream: true,
      background: "transparent",
      moderation: "low",
    }),
  },
  {
    name: "openai-speech",
    type: "OpenAI.Audio.SpeechCreateParams",
    value: translated(speech, speech, {
      model: "tts-1",
      input: "Hello",
      voice: "alloy",
      response_format: "opus",
      speed: 1.5,
      instructions: "Softly.",
      stream_format: "sse",
    }),
  },
  {
    name: "openai-transcriptions",
    type: "Form<OpenAI.Audio.TranscriptionCreateParams>",
    value: formOf(
      translated(transcriptions, transcriptions, {
        file: { filename: "a.wav", bytes },
        model: "whisper-1",
        language: "en",
        prompt: "p",
        response_format: "verbose_json",
        temperature: "0.5",
        "timestamp_granularities[]": ["word", "segment"],
        stream: "true",
      }),
    ),
  },
  {
    name: "openai-translations",
    type: "Form<OpenAI.Audio.TranslationCreateParams>",
    value: formOf(
      translated(translations, translations, {
        file: { filename: "a.wav", bytes },
        model: "whisper-1",
        prompt: "p",
        response_format: "json",
        temperature: "0.5",
      }),
    ),
  },
  {
    name: "openai-moderations",
    type: "OpenAI.ModerationCreateParams",
    value: translated(openAiModerations, openAiModerations, {
      model: "omni-moderation-latest",
      input: [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "https://example.com/cat.png" } },
      ],
    }),
  },
  {
    name: "openai-completions",
    type: "OpenAI.CompletionCreateParams",
    value: translated(openAiCompletions, openAiCompletions, {
      model: "m",
      prompt: ["a", "b"],
      suffix: "z",
      max_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      n: 1,
      best_of: 2,
      logprobs: 2,
      echo: true,
      stop: ["END"],
      presence_penalty: 0.1,
      frequency_penalty: 0.1,
      logit_bias: { "50256": -100 },
      seed: 7,
      user: "u",
    }),
  },
  {
    name: "cohere-rerank",
    type: "Cohere.V2RerankRequest.Raw",
    value: translated(rerank("rerank"), rerank("cohere-rerank"), {
      model: "m",
      query: "q",
      documents: ["a", { text: "b" }],
      top_n: 1,
      return_documents: true,
      max_tokens_per_doc: 9,
      priority: 1,
    }),
  },
  {
    name: "anthropic-count-tokens",
    type: "Anthropic.MessageCountTokensParams",
    value: translated(anthropicCount, anthropicCount, everything["anthropic-messages"]),
  },
  {
    name: "openai-input-tokens",
    type: "OpenAI.Responses.InputTokenCountParams",
    value: translated(inputTokens, inputTokens, everything["openai-responses"]),
  },
  {
    name: "gemini-count-tokens",
    type: "CountTokens",
    value: without(
      translated(geminiCount, geminiCount, {
        model: "m",
        generateContentRequest: {
          contents: everything.gemini?.contents,
          systemInstruction: everything.gemini?.systemInstruction,
          tools: [{ googleSearch: {} }],
        },
      }),
    ),
  },
];
